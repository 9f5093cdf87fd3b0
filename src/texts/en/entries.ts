/** The texts of tickets that admit more than once. */
export const entries = {
  title: 'Entries',
  about: 'Of tickets that admit more than once. A day at the door begins at 06:00.',
  caption: 'Entries by day and hour, newest first',
  inside: 'Inside now',
  day: 'Day',
  hour: 'Hour',
  entered: 'Entries',
  left: 'Exits',
  none: 'Nobody has come in yet',
  noneAbout: 'Once tickets are scanned at the doors, their entries are here.',
  tooMany: (n: string) => `Only the newest ${n} entries are counted.`,
  way: 'Which way',
  ways: { in: 'Way in: it lets guests in', out: 'Way out: it notes guests as having left' },
  isWayOut: 'way out',
  noExit: 'Way out, nothing changed',
}
