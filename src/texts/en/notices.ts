import { count } from './page.ts'

export const notices = {
  untold: 'Date or place have changed, and those who registered have not been told.',
  tell: 'Tell those who registered…',
  tellTitle: 'Tell those who registered?',
  tellSubmit: 'Send the mails',
  tellNobody: 'Nobody needs to know',
  before: 'before',
  people: (n: string, recipients: number, isMore: boolean) =>
    isMore
      ? `More than ${n} people have registered or hold a ticket.`
      : `${count(recipients, { one: '# person has registered or holds', other: '# people have registered or hold' })} a ticket.`,
  calendar: 'Each mail says what was and what is, and changes the event in their calendars.',
  text: 'See or change what the mail says',
  job: {
    reminder: 'Reminding of the event',
    event_changed: 'Telling of the change',
    event_cancelled: 'Telling that it is cancelled',
  } as Readonly<Record<string, string>>,
  back: 'Back to the messages',
}
