/** The rows of a list that fit on a page. */
export const ROWS_A_PAGE = 36
