/** Rows of a list that have room on a page. */
export const ROWS_A_PAGE = 36
