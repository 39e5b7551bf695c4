"""Several questions to the same people: their floors added up (design idea 5).

`histogram` and `sub_gaussian` hold what is known of the failure probability of a histogram and of a
mean of numbers, `histogram_floor` and `gaussian_floor` what they ask. `best_shares` shares one
failure probability out, `split` remembers that over N, and `shares` states what each question
gets. `together` turns the questions' rates into one ε, `questions` holds them all, and `floor` is
their sum; `bounds`, with `any_split` and `refuted`, bounds it for every split.
"""
