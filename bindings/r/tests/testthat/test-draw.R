test_that("trees are drawn as text and pictures", {
  x <- dodona("Birds sing. The cat sleeps.", toy())
  expect_output(print(dodona_draw(x)), "Birds")
  expect_match(dodona_draw(x, 2, "svg"), "^<svg.*</svg>\\s*$")
  for (to in c("html", "tikz", "dot")) expect_match(dodona_draw(x, 2, to), "cat")
  expect_error(dodona_draw(x, 3), "no sentence 3; there are 2", class = "dodona_error")
  expect_error(dodona_draw(x, NA), class = "dodona_error")
})

test_that("plot() draws every tree that there can be", {
  file <- tempfile(fileext = ".png")
  on.exit(unlink(file))
  x <- dodona(c("The king doesn't sing.", paste(rep("the cat in", 60), collapse = " "), "Birds."), toy())
  grDevices::png(file)
  for (i in 1:3) expect_identical(plot(x, i), x)
  expect_silent(plot(dodona("Birds sing.", toy(), parse = FALSE), main = "tokens"))
  crossing <- x[1:4, ]
  crossing$token_id <- 1:4
  crossing$head_token_id <- c("3", "4", "0", "3")
  expect_silent(plot(crossing, cex = 2, tags = FALSE))
  grDevices::dev.off()
  expect_gt(file.size(file), 1000)
  expect_error(plot(x, 4), "no sentence 4", class = "dodona_error")
})
