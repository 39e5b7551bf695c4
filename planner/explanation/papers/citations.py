"""The works that a plan rests on, in BibTeX."""

from collections.abc import Iterable

_WORKS = {
    "hsu2014": """\
@inproceedings{hsu2014,
  author = {Justin Hsu and Marco Gaboardi and Andreas Haeberlen and Sanjeev Khanna and Arjun Narayan and Benjamin C. Pierce and Aaron Roth},
  title = {Differential Privacy: An Economic Method for Choosing Epsilon},
  booktitle = {IEEE 27th Computer Security Foundations Symposium (CSF)},
  pages = {398--410},
  year = {2014}
}""",
    "dwork2006": """\
@inproceedings{dwork2006,
  author = {Cynthia Dwork and Frank McSherry and Kobbi Nissim and Adam Smith},
  title = {Calibrating Noise to Sensitivity in Private Data Analysis},
  booktitle = {Theory of Cryptography (TCC)},
  pages = {265--284},
  year = {2006}
}""",
    "ghosh2012": """\
@article{ghosh2012,
  author = {Arpita Ghosh and Tim Roughgarden and Mukund Sundararajan},
  title = {Universally Utility-Maximizing Privacy Mechanisms},
  journal = {SIAM Journal on Computing},
  volume = {41},
  number = {6},
  pages = {1673--1693},
  year = {2012}
}""",
    "balle2018": """\
@inproceedings{balle2018,
  author = {Borja Balle and Yu-Xiang Wang},
  title = {Improving the {Gaussian} Mechanism for Differential Privacy: Analytical Calibration and Optimal Denoising},
  booktitle = {35th International Conference on Machine Learning (ICML)},
  pages = {394--403},
  year = {2018}
}""",
    "mcsherry2007": """\
@inproceedings{mcsherry2007,
  author = {Frank McSherry and Kunal Talwar},
  title = {Mechanism Design via Differential Privacy},
  booktitle = {48th IEEE Symposium on Foundations of Computer Science (FOCS)},
  pages = {94--103},
  year = {2007}
}""",
    "bennett1962": """\
@article{bennett1962,
  author = {George Bennett},
  title = {Probability Inequalities for the Sum of Independent Random Variables},
  journal = {Journal of the American Statistical Association},
  volume = {57},
  number = {297},
  pages = {33--45},
  year = {1962}
}""",
    "bentkus2004": """\
@article{bentkus2004,
  author = {Vidmantas Bentkus},
  title = {On {H}oeffding's Inequalities},
  journal = {The Annals of Probability},
  volume = {32},
  number = {2},
  pages = {1650--1673},
  year = {2004}
}""",
    "hoeffding1956": """\
@article{hoeffding1956,
  author = {Wassily Hoeffding},
  title = {On the Distribution of the Number of Successes in Independent Trials},
  journal = {The Annals of Mathematical Statistics},
  volume = {27},
  number = {3},
  pages = {713--721},
  year = {1956}
}""",
    "hoeffding1963": """\
@article{hoeffding1963,
  author = {Wassily Hoeffding},
  title = {Probability Inequalities for Sums of Bounded Random Variables},
  journal = {Journal of the American Statistical Association},
  volume = {58},
  number = {301},
  pages = {13--30},
  year = {1963}
}""",
    "warner1965": """\
@article{warner1965,
  author = {Stanley L. Warner},
  title = {Randomized Response: A Survey Technique for Eliminating Evasive Answer Bias},
  journal = {Journal of the American Statistical Association},
  volume = {60},
  number = {309},
  pages = {63--69},
  year = {1965}
}""",
}  # fmt: skip


def bibtex(keys: Iterable[str]) -> str:
    """The entries of some works.

    Raises:
        KeyError: a work is not known.
    """
    return "\n".join(f"{_WORKS[key]}\n" for key in keys)
