/** The pages of the programme of an event, by their paths below its own. */
export type ProgrammePart =
  | 'warnings'
  | 'people'
  | 'people/judge'
  | 'rooms'
  | 'rooms/new'
  | 'sessions/new'
  | 'publish'
  | 'unpublish'
  | 'texts'
  | 'book.html'
  | 'programme.csv'
  | 'files.zip'
