"""What checks certificates of answers; it imports nothing of the planner."""

from planner.certificate import check, check_surveys


def verify(text: str) -> tuple[list[str], list[str]]:
    """What a certificate proves, and what is unproved in it, by the file that has its rules.

    That is `check_surveys.py` where the study has several questions, else `check.py`.

    Args:
        text: of the certificate.

    Raises:
        check.RefusedError: it is refused.
    """
    survey = "\nquestion.1 = " in text
    return check.verify(text, check_surveys.Survey if survey else check.Study)
