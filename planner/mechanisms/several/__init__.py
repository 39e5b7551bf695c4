"""Several questions to the same people: α and ε shared among them (design idea 5).

`survey` is the floor of all questions together, and what each gets of a plan. `together` turns the
rates of their noises into one ε. `split` shares one failure probability out. `histogram` and
`by_group` are of questions with several numbers.
"""
