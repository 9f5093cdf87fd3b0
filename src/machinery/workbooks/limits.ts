/** The most bytes of a workbook that is read. */
export const MAX_WORKBOOK = 20 * 1024 * 1024
/** The most columns of a table that people import. */
export const MAX_SHEET_COLUMNS = 200
