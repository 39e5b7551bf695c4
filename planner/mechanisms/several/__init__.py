"""Several questions to the same people: α, ε or N shared among them (design idea 5).

`survey` is the floor of all questions together; `questions` holds them and what each gets, and
`together` turns their rates into one ε. `best_shares` shares one failure probability out, `split`
remembers that over N, and `bounds` bounds every split from below, by duality. `histogram` and
`histogram_floor` are of the shares of a histogram, `gaussian_floor` of one question with Gaussian
noise.
"""
