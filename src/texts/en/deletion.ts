import { count } from './page.ts'

/** What the page says that deletes an event. */
export const deletion = {
  title: (title: string) => `Delete “${title}”?`,
  cannot: (title: string) => `“${title}” cannot be deleted`,
  submit: 'Delete the event',
  typeName: 'Name of the event',
  typeNameHelp: (title: string) => `Type “${title}”, so that it is not deleted by mistake.`,
  goes: 'This goes with it:',
  gone: {
    registrations: (n: number) => count(n, { one: '# registration', other: '# registrations' }),
    tickets: (n: number) => count(n, { one: '# ticket', other: '# tickets' }),
    check_ins: (n: number) => count(n, { one: '# check-in', other: '# check-ins' }),
    scans: (n: number) => count(n, { one: '# scan at a door', other: '# scans at the doors' }),
    orders: (n: number) =>
      count(n, {
        one: '# order: the links that its buyer has no longer work',
        other: '# orders: the links that the buyers have no longer work',
      }),
    waitlist: (n: number) => count(n, { one: '# entry on the waitlist', other: '# entries on the waitlist' }),
    abstracts: (n: number) => count(n, { one: '# abstract', other: '# abstracts' }),
    files: (n: number) => count(n, { one: '# file of an abstract', other: '# files of abstracts' }),
    mails: (n: number) => count(n, { one: '# mail in Messages', other: '# mails in Messages' }),
    waiting_mails: (n: number) =>
      count(n, {
        one: '# mail that is not sent yet, and then never is',
        other: '# mails that are not sent yet, and then never are',
      }),
    announcements: (n: number) => count(n, { one: '# announcement', other: '# announcements' }),
    doors: (n: number) => count(n, { one: '# door', other: '# doors' }),
    types: (n: number) => count(n, { one: '# ticket type', other: '# ticket types' }),
    codes: (n: number) => count(n, { one: '# code', other: '# codes' }),
    import_lines: (n: number) =>
      count(n, { one: '# line of an imported guest list', other: '# lines of imported guest lists' }),
  },
  atLeast: (what: string) => `At least ${what}`,
  page: 'Its page, settings, questions and texts',
  forGood: 'This is for good. The access log keeps that the event was there, and who deleted it.',
  elsewhere: 'Webhooks that were sent, and backups, keep what they have until their time is over.',
  instead:
    'Archive it instead: it leaves your list of events, and everything in it stays as it is. You can undo that.',
  isArchived: 'It is archived: it stands in your list only under Archived.',
}
