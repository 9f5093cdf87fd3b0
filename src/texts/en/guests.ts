import { count } from './page.ts'

const people = (n: number) => count(n, { one: '# person', other: '# people' })
const tickets = (n: number) => count(n, { one: '# ticket', other: '# tickets' })
const registrations = (n: number) => count(n, { one: '# registration', other: '# registrations' })

const status = {
  pending: 'Pending',
  confirmed: 'Confirmed',
  failed: 'Failed',
  refunded: 'Refunded',
  cancelled: 'Cancelled',
}

export const guests = {
  title: 'Guests',
  caption: 'Registrations, newest first',
  search: 'Name, e-mail, reference or ticket code',
  states: 'State',
  status,
  countedAre: 'These numbers count registrations. Each line below is one ticket of a registration.',
  counted: (n: string, isMore: boolean) => (isMore ? `${n}+` : n),
  buyer: 'Buyer',
  tickets: 'Tickets',
  state: 'State',
  type: 'Ticket type',
  registered: 'Registered',
  ofType: (quantity: number, type: string) => `${quantity} × ${type}`,
  selectOne: (name: string) => `Select ${name}`,
  none: 'No guests yet',
  noneAbout: 'Whoever registers is here, with their tickets. You can add guests by hand, or import a list.',
  nobody: 'Nobody found',
  nobodyAbout: 'Try fewer letters, another tab, or take a filter away.',
  noneHere: 'None of those that this page has looked at. There are older ones.',
  add: 'Add a guest',
  import: 'Import',
  xlsx: 'Download these for Excel',
  csv: 'Download these as CSV',
  csvWithLinks: 'The same with links to the tickets',
  scope: 'Which',
  ticked: 'The ticked ones',
  thisPage: 'All on this page',
  allMatching: (n: string) => `All ${n} that match`,
  cancelMany: 'Cancel…',

  confirmMany: (n: number) => (n === 0 ? 'There is nothing to cancel' : `Cancel ${registrations(n)}?`),
  nothingToCancel: 'None of these can be cancelled.',
  submitMany: (n: number) => `Cancel ${registrations(n)}`,
  ticketsVoided: (n: number) => `${count(n, { one: '# ticket becomes', other: '# tickets become' })} void.`,
  extrasToo: (n: number) =>
    `${count(n, { one: '# registration of extras is', other: '# registrations of extras are' })} cancelled too, as no ticket is left beside them.`,
  extrasStay:
    'What was taken beside it stays, and is still handed out. Where that goes too, open it and cancel or refund it by itself:',
  placesFreed: (n: number) => `${count(n, { one: '# place is', other: '# places are' })} free again.`,
  someWait: (n: number, isMore: boolean) =>
    `${isMore ? `More than ${people(n)} wait` : count(n, { one: '# person waits', other: '# people wait' })} for such tickets: those who fit are notified, the longest waiting first.`,
  nobodyWaits: 'Nobody waits for these places.',
  keptPaid: (n: number) =>
    `${count(n, { one: '# paid registration stays', other: '# paid registrations stay' })}: each is cancelled together with its refund.`,
  keptCancelled: (n: number) => `${count(n, { one: '# was', other: '# were' })} cancelled already.`,
  keptOther: (n: number) =>
    `${count(n, { one: '# failed or was', other: '# failed or were' })} refunded, and stays so.`,
  moreMatch: (n: number) =>
    `More match than are cancelled at a time: these are the newest ${registrations(n)}. Come back for the others.`,

  registration: 'Registration',
  edit: 'Edit',
  cancel: 'Cancel…',
  erase: 'Erase personal data…',
  name: 'Name',
  buyerName: 'Name of the buyer',
  buyerEmail: 'E-mail of the buyer',
  email: 'E-mail',
  seat: 'Seat',
  language: 'Language',
  source: 'Source',
  sources: { api: 'Added by hand, import or API', checkout: 'Checkout' },
  reference: 'Reference',
  worth: 'Value',
  paid: 'Paid',
  refunded: 'Refunded amount',
  answers: 'Answers',
  answersOfEach: 'Answers for each ticket',
  onlyFor: (types: string) => `Asked for: ${types}.`,
  sameNames: 'A ticket in the same name, or with the same e-mail, changes with it.',
  order: 'Order',
  noAnswers: 'None were asked, or given.',
  note: 'Note',
  noteHelp: 'For your team only.',
  noNote: 'None.',
  writeNote: 'Write one',
  anonymous: (at: string) =>
    `The personal data of the buyer was erased on ${at}. Nothing of it can be changed any more.`,
  ticket: 'Ticket',
  noName: 'No name',
  valid: 'Not here yet',
  notHandedOut: 'Not handed out yet',
  handedOut: 'Handed out',
  void: 'Void',
  checkedIn: 'Checked in',
  action: 'Action',
  checkIn: 'Check in',
  checkInOf: (name: string) => `Check in: ${name}`,
  handOut: 'Hand out',
  handOutOf: (name: string) => `Hand out: ${name}`,
  undoCheckIn: 'Undo…',
  undoCheckInOf: (name: string) => `Undo the check-in: ${name}`,
  undoTitle: (name: string) => `Undo the check-in of ${name}?`,
  undoAbout: 'The ticket admits again.',
  undoSubmit: 'Undo the check-in',
  reason: 'Reason',
  reasonHelp: 'It is kept in the access log.',
  undoneAtOnce: 'Undone at once',

  timeline: 'What happened',
  by: (actor: string) => `by ${actor}`,
  actors: {
    buyer: 'the buyer',
    holder: 'the holder',
    submitter: 'the author',
    reviewer: 'a reviewer',
    cli: 'the command line',
    key: (name: string) => `the API key “${name}”`,
    formerKey: 'an API key',
    former: 'somebody who has left',
  },
  happened: {
    created: 'Registered',
    confirmed: 'Confirmed',
    cancelled: 'Cancelled: the tickets are void',
    refunded: 'Refunded',
    erased: 'Personal data erased',
    linksRenewed: 'Links renewed',
    checkedIn: (name: string) => `${name} was checked in`,
    undone: (name: string) => `The check-in of ${name} was undone`,
    amended: (fields: string) => `Changed: ${fields}`,
    cancelRefused: 'A cancellation was refused',
    changeRefused: 'A change was refused',
    checkInRefused: (name: string) => `${name} was not checked in`,
    other: (action: string) => `Something else: ${action}`,
  },
  fields: {
    buyerName: 'name of the buyer',
    buyerEmail: 'e-mail of the buyer',
    language: 'language',
    note: 'note',
    answer: (key: string) => `answer “${key}”`,
    ticketName: (n: number) => `name on ticket ${n}`,
    ticketEmail: (n: number) => `e-mail on ticket ${n}`,
    ticketSeat: (n: number) => `seat of ticket ${n}`,
  },

  editTitle: (name: string) => `Edit ${name}`,
  ticketNumber: (n: number) => `Ticket ${n}`,
  ticketOf: (n: number, all: number) => `ticket ${n} of ${all}`,
  nameOf: (n: number) => `Name on ticket ${n}`,
  answersLeftOut: (n: number) =>
    `This form has room for the answers of ${count(n, { one: 'one ticket', other: '# tickets' })}.`,
  emailOf: (n: number) => `E-mail on ticket ${n}`,
  seatOf: (n: number) => `Seat of ticket ${n}`,

  cancelTitle: (name: string) => `Cancel the registration of ${name}?`,
  cancelSubmit: 'Cancel the registration',
  alreadyIn: (n: number) =>
    `${count(n, { one: '# ticket is', other: '# tickets are' })} checked in, which stays so.`,
  nobodyNotified: 'Nobody on the waitlist is notified.',
  waitlistNotified: (n: number) =>
    `${count(n, { one: '# person', other: '# people' })} on the waitlist ${n === 1 ? 'is' : 'are'} notified.`,

  eraseTitle: (name: string) => `Erase the personal data of ${name}?`,
  eraseAbout: (email: string, account: string) =>
    `Everything that ${account} has of ${email}, in all its events. This cannot be taken back.`,
  eraseBought: (n: number) =>
    n === 0
      ? 'This person has bought nothing.'
      : `${registrations(n)}: the name, the e-mail, the answers and the note go.`,
  eraseTickets: (n: number) => `${tickets(n)}: the name and the e-mail go. The code still admits.`,
  eraseOthers: (n: number) => `${tickets(n)} of others in the same registrations stay as they are.`,
  eraseWaiting: (n: number) =>
    `${count(n, { one: '# entry of the waitlist goes', other: '# entries of the waitlist go' })}.`,
  eraseAbstracts: (n: number) =>
    `${count(n, { one: '# abstract names', other: '# abstracts name' })} the person no more.`,
  eraseSubmitted: (drafts: number, files: number) =>
    `The links to abstracts lead nowhere; ${count(drafts, { one: '# draft', other: '# drafts' })} and ${count(files, { one: '# file', other: '# files' })} of abstracts go.`,
  eraseReviewers: (n: number) =>
    count(n, {
      one: 'As reviewer of # event: the link leads nowhere, and what is done stays.',
      other: 'As reviewer of # events: the links lead nowhere, and what is done stays.',
    }),
  eraseKeeps: 'Money, counts, states, seats and codes stay.',
  eraseOther: 'Somebody else of this registration',
  eraseSubmit: 'Erase personal data',

  newTitle: 'Add a guest',
  newSubmit: 'Add the guest',
  noTypes: 'There is no ticket yet',
  noTypesAbout: 'A guest has a ticket of some type: make one first.',
  toTickets: 'To the tickets',
  typeLeft: (name: string, left: number) => (left > 0 ? `${name} (${left} left)` : `${name} (sold out)`),
  quantity: 'Tickets',
  names: 'Names',
  namesHelp:
    'One a line, with the e-mail after a comma where you know it: then there are as many tickets as names. Empty, all are in the name of the buyer.',
  wrongLine: (n: number, why?: string) =>
    why === undefined ? `Line ${n} is not a name, or a name, a comma and an e-mail.` : `Line ${n}: ${why}`,
  tooManyNames: (max: number) => `At most ${max} names.`,
}
