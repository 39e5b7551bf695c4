"""Several questions to the same people: their floors added up (design idea 5).

`histogram` and `sub_gaussian` hold what is known of the failure probability of a histogram and of a
mean of numbers, `histogram_floor` and `gaussian_floor` what they ask. `split` shares one failure
probability out, `shares` states what each question gets, `together` turns the questions' rates into
one ε, and `floor` is the sum; `any_split` and `refuted` bound it for every split.
"""
