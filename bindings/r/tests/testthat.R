library(testthat)
library(dodona)

test_check("dodona")
