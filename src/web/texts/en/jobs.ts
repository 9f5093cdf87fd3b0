import { count } from './page.ts'

export const jobs = {
  state: {
    preparing: 'Coming in',
    waiting: 'Waiting',
    running: 'Running',
    done: 'Done',
    failed: 'Failed',
    stopped: 'Stopped',
  },
  progress: 'Progress',
  doneOf: (done: string, total: string) => `${done} of ${total}`,
  doneSoFar: (done: string) => `${done} so far`,
  outcome: 'What came of it',
  goesOn: 'You may close this page: the work goes on. The page looks again by itself.',
  stop: 'Stop',
  stopAbout: 'What is done stays so.',
  isStopped: 'It was stopped. What was done by then stays so.',
  hasFailed: 'It could not go on. What was done by then stays so.',
  work: 'Work in the background',
  back: 'Back to the guests',
  cancelling: (n: number) => `Cancelling ${count(n, { one: '# registration', other: '# registrations' })}`,
  cancelled: 'Cancelled',
  ticketsVoided: 'Tickets that are void now',
  keptPaid: 'Paid, and kept until it is refunded',
  keptCancelled: 'Cancelled already',
  keptOther: 'Failed or refunded, and kept',
}
