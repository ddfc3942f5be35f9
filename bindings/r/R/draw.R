# Pictures of trees.

# The rows of the k-th sentence.
sentence_rows <- function(x, k, call) {
  if (!is.data.frame(x) || is.null(x[["token"]])) refuse("x is a data frame with a row for each token", call = call)
  number <- cumsum(begins(x[["doc_id"]], x[["sentence_id"]]))
  if (length(k) != 1 || !k %in% number)
    refuse("there is no sentence ", paste(k, collapse = ", "), "; there are ", max(0, number), call = call)
  x[number == k, ]
}

drawing_formats <- c("text", "svg", "html", "tikz", "dot") # in the order of dd_draw_format

dodona_draw <- function(x, sentence = 1, to = c("text", "svg", "html", "tikz", "dot"), width = 0, tags = TRUE) {
  call <- sys.call()
  format <- match(match.arg(to), drawing_formats) - 1L
  rows <- sentence_rows(x, sentence, call)
  drawing <- unless_failed(.Call(C_draw, as_conllu(as.data.frame(rows)), format, as.integer(width), tags), call)
  structure(drawing, class = "dodona_drawing")
}

print.dodona_drawing <- function(x, ...) {
  cat(x, sep = "")
  invisible(x)
}

# ---- plot() -----------------------------------------------------------------------------------

# Arcs, each with how high it is: above all that it spans.
arrange_arcs <- function(heads, labels) {
  dependent <- which(!is.na(heads) & heads > 0)
  arcs <- data.frame(head = heads[dependent], dependent = dependent, label = labels[dependent],
                     stringsAsFactors = FALSE)
  arcs$left <- pmin(arcs$head, arcs$dependent)
  arcs$right <- pmax(arcs$head, arcs$dependent)
  arcs <- arcs[order(arcs$right - arcs$left, arcs$left), ]
  arcs$level <- rep(1, nrow(arcs))
  for (i in seq_len(nrow(arcs))) {
    below <- seq_len(i - 1)
    overlap <- arcs$left[below] < arcs$right[i] & arcs$right[below] > arcs$left[i]
    if (any(overlap)) arcs$level[i] <- 1 + max(arcs$level[below][overlap])
  }
  arcs
}

# Where words stand, in inches: wide enough for words, tags and the labels between neighbours.
place_words <- function(widths, arcs, label_widths) {
  gap <- strwidth("mm", units = "inches")
  x <- cumsum(widths + gap) - widths / 2
  for (i in seq_len(nrow(arcs))) {
    room <- x[arcs$right[i]] - x[arcs$left[i]]
    lacking <- label_widths[i] + 2 * gap - room
    if (lacking > 0) {
      from <- arcs$right[i]:length(x)
      x[from] <- x[from] + lacking
    }
  }
  x
}

# Where the arcs leave a word, so that none crosses the leg of another: to the left the short ones first,
# then what comes from above, then to the right the long ones first.
attach_arcs <- function(x, arcs, root, step) {
  arcs$x_left <- arcs$x_right <- numeric(nrow(arcs))
  root_at <- if (length(root) == 1) x[root] else NA
  for (word in seq_along(x)) {
    to_left <- which(arcs$right == word)
    to_right <- which(arcs$left == word)
    to_left <- to_left[order(arcs$level[to_left])]
    to_right <- to_right[order(-arcs$level[to_right])]
    is_root <- word %in% root
    slots <- length(to_left) + length(to_right) + is_root
    at <- x[word] + (seq_len(slots) - (slots + 1) / 2) * step
    arcs$x_right[to_left] <- at[seq_along(to_left)]
    if (is_root) root_at <- at[length(to_left) + 1]
    arcs$x_left[to_right] <- at[length(to_left) + is_root + seq_along(to_right)]
  }
  list(arcs = arcs, root = root_at)
}

# A line up, along and down, with round corners.
arc_path <- function(left, right, bottom, top, radius) {
  radius <- min(radius, (right - left) / 2, top - bottom)
  turn <- seq(0, pi / 2, length.out = 9)
  list(x = c(left, left + radius * (1 - cos(turn)), right - radius * (1 - sin(turn)), right),
       y = c(bottom, top - radius * (1 - sin(turn)), top - radius * (1 - cos(turn)), bottom))
}

draw_label <- function(x, y, label, cex, col) {
  half <- strwidth(label, cex = cex) / 2
  height <- strheight("X", cex = cex)
  background <- par("bg")
  rect(x - 1.1 * half, y - 0.7 * height, x + 1.1 * half, y + 0.7 * height, border = NA,
       col = if (background == "transparent") "white" else background)
  text(x, y, label, cex = cex, col = col)
}

draw_arcs <- function(arcs, base, unit, cex, col, label_col) {
  for (i in rev(seq_len(nrow(arcs)))) {
    top <- base + arcs$level[i] * unit
    path <- arc_path(arcs$x_left[i], arcs$x_right[i], base, top, 0.4 * unit)
    lines(path$x, path$y, col = col)
    to <- if (arcs$dependent[i] < arcs$head[i]) arcs$x_left[i] else arcs$x_right[i]
    arrows(to, base + 0.2 * unit, to, base, length = 0.07 * cex, angle = 25, col = col)
    draw_label((arcs$x_left[i] + arcs$x_right[i]) / 2, top, arcs$label[i], 0.8 * cex, label_col)
  }
}

plot.dodona <- function(x, sentence = 1, tags = TRUE, cex = 1, col = "grey45", label_col = "#1a5a96",
                        main = NULL, ...) {
  rows <- as.data.frame(sentence_rows(x, sentence, sys.call()))
  words <- rows[grepl("^[0-9]+$", rows$token_id), ]
  below <- if (tags && !all(is.na(words$upos))) ifelse(is.na(words$upos), "", words$upos)
  arcs <- arrange_arcs(match(words$head_token_id, words$token_id), ifelse(is.na(words$dep_rel), "", words$dep_rel))
  root <- which(words$head_token_id == "0")
  old <- par(mar = c(0.5, 0.5, if (is.null(main)) 0.5 else 2.5, 0.5))
  on.exit(par(old))
  plot.new()
  size <- par("pin")
  inches <- function(text, by) strwidth(text, units = "inches", cex = by * cex)
  widths <- pmax(inches(words$token, 1), if (is.null(below)) 0 else inches(below, 0.7))
  at <- place_words(widths, arcs, inches(arcs$label, 0.8))
  total <- at[length(at)] + widths[length(widths)] / 2 + 0.1
  shrink <- min(1, size[1] / total)
  cex <- cex * shrink
  plot.window(c(0, size[1]), c(0, size[2]), xaxs = "i", yaxs = "i")
  at <- at * shrink + (size[1] - total * shrink) / 2
  line <- strheight("Xg", cex = cex)
  levels <- max(0, arcs$level) + (length(root) > 0)
  text_height <- if (is.null(below)) 1.8 * line else 3.3 * line
  unit <- min(2.6 * line, (size[2] - text_height - line) / max(1, levels))
  base <- max(0, size[2] - text_height - levels * unit - line) / 2 + text_height
  attached <- attach_arcs(at, arcs, root, min(0.12, 0.5 * min(widths)) * shrink)
  draw_arcs(attached$arcs, base, unit, cex, col, label_col)
  for (from in attached$root) {
    arrows(from, base + levels * unit, from, base, length = 0.07 * cex, angle = 25, col = col)
    draw_label(from, base + levels * unit, words$dep_rel[root[1]], 0.8 * cex, label_col)
  }
  text(at, base - 1.3 * line, words$token, cex = cex, adj = c(0.5, 0))
  if (!is.null(below)) text(at, base - 2.6 * line, below, cex = 0.7 * cex, col = col, adj = c(0.5, 0))
  if (!is.null(main)) graphics::title(main)
  invisible(x)
}
