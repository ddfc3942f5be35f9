# Options of a parse and settings of training, both from the library's tables.

argument_name <- function(name) gsub("-", "_", name, fixed = TRUE)

option_kinds <- c("flag", "switch", "whole", "choice", "text") # in the order of dd_option_kind

option_rows <- function() {
  rows <- .Call(C_options)
  setNames(rows, argument_name(vapply(rows, function(row) row$name, "")))
}

allowed <- function(row, kind) {
  switch(kind, flag = , switch = "TRUE, FALSE", choice = , list = paste(row$choices, collapse = ", "),
         whole = , real = paste(c(paste(format(c(row$low, row$high), scientific = FALSE, trim = TRUE),
                                        collapse = " to "), row$choices, stats::na.omit(row$zero)), collapse = ", "),
         "")
}

dodona_options <- function() {
  rows <- option_rows()
  kinds <- vapply(rows, function(row) option_kinds[row$kind + 1], "")
  data.frame(name = names(rows), kind = unname(kinds),
             values = unname(mapply(allowed, rows, kinds)),
             help = vapply(rows, function(row) row$help, "", USE.NAMES = FALSE), stringsAsFactors = FALSE)
}

# The value of an option as the library has it: a whole number or a text.
option_value <- function(row, name, value, call) {
  wrong <- function(what) refuse(name, " must be ", what, call = call)
  if (length(value) != 1 || is.na(value)) wrong("one value")
  kind <- option_kinds[row$kind + 1]
  if (kind %in% c("flag", "switch")) {
    if (!is.logical(value)) wrong("TRUE or FALSE")
    return(if (kind == "flag") as.integer(value) else if (value) 2L else 1L)
  }
  if (kind == "choice") {
    if (!value %in% row$choices) wrong(paste0("one of ", paste(row$choices, collapse = ", "), ", not '", value, "'"))
    return(match(value, row$choices) - 1L)
  }
  if (kind == "text") {
    if (!is.character(value)) wrong("a string")
    return(path.expand(value))
  }
  if (identical(value, row$zero)) return(0L)
  if (!is.numeric(value) || value != round(value) || value < row$low || value > row$high)
    wrong(paste0("a whole number from ", row$low, " to ", row$high,
                 if (!is.na(row$zero)) paste0(", or \"", row$zero, "\"")))
  as.integer(value)
}

# NULL is the default of each.
parse_options <- function(given, call) {
  rows <- option_rows()
  if (length(given) > 0 && (is.null(names(given)) || !all(nzchar(names(given)))))
    refuse("options are named, as in beam = 8", call = call)
  unknown <- setdiff(names(given), names(rows))
  if (length(unknown) > 0)
    refuse("there is no option '", unknown[1], "'", suggestion(unknown[1], names(rows)),
           "; dodona_options() lists all", call = call)
  given <- given[!vapply(given, is.null, NA)]
  values <- mapply(function(name, value) option_value(rows[[name]], name, value, call), names(given), given,
                   SIMPLIFY = FALSE, USE.NAMES = FALSE)
  setNames(values, vapply(rows[names(given)], function(row) row$name, "", USE.NAMES = FALSE))
}

dodona_settings <- function() {
  rows <- .Call(C_settings)
  field <- function(name) vapply(rows, function(row) row[[name]], "")
  data.frame(name = argument_name(field("name")), kind = field("kind"), default = field("default"),
             values = vapply(rows, function(row) allowed(row, row$kind), ""), help = field("help"),
             stringsAsFactors = FALSE)
}

setting_value <- function(value) {
  if (is.logical(value)) return(ifelse(value, "yes", "no"))
  if (is.numeric(value)) return(format(value, digits = 15, scientific = FALSE, trim = TRUE))
  paste(value, collapse = ",")
}
