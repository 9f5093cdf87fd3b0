import { count } from './page.ts'

/** The programme of an event: rooms, sessions, and what stands in them. */
export const timetable = {
  title: 'Programme',
  about: 'Rooms, sessions, and the accepted abstracts in them. Nobody else sees it before it is published.',
  aboutPublished: (version: string) =>
    `Visitors see version ${version}. What you change here they see once you publish again.`,
  none: 'There is no session yet',
  noneAbout:
    'Add a session, and then put accepted abstracts into it. Whatever does not fit is marked, and you can save it all the same.',
  zone: (zone: string) => `Times in ${zone}.`,
  days: 'Days',
  noRoom: 'No room yet',
  noSlots: 'Nothing stands in this session yet.',
  chairs: 'Chairs',
  poster: 'Poster',
  minutes: (n: number) => count(n, { one: '# minute', other: '# minutes' }),
  overview: 'Sessions by room',
  dragHint: 'With a mouse, you can also drag what stands in a session, and abstracts into a session.',

  warnings: (n: number) => count(n, { one: '# warning', other: '# warnings' }),
  manyWarnings: (most: string) => `${most} warnings or more`,
  warningsTitle: 'Warnings',
  warningsAbout: 'Nothing of this is forbidden: you may leave it as it is.',
  noWarnings: 'There is nothing to warn of.',
  allWarnings: 'Show all warnings',
  ticketless: (n: number) =>
    count(n, { one: '# presenter without a ticket', other: '# presenters without a ticket' }),
  ticketlessTitle: 'Without a ticket',
  ticketlessAbout: 'Until tickets are sold, that is everybody.',
  marked: 'Look at this',
  spot: (name: string, at: string) => `“${name}” (${at})`,
  warning: {
    person: (who: string, one: string, other: string) =>
      `${who} is in two places at once: ${other}, and ${one}.`,
    walk: (who: string, one: string, other: string) =>
      `${who} has less than ten minutes from one room to another: from ${other} to ${one}.`,
    room: (room: string, one: string, other: string) =>
      `${room} is used twice at once: for ${other}, and for ${one}.`,
    long: (session: string, minutes: string) => `${session} takes ${minutes} more than the session has.`,
    withdrawn: (what: string) => `${what} was withdrawn.`,
    not_accepted: (what: string) => `${what} is not accepted any more.`,
    unconfirmed: (what: string) => `The authors of ${what} were asked to confirm, and have not yet.`,
    unavailable: (what: string, day: string) => `Nobody can present ${what} on ${day}.`,
    unregistered: (what: string, who: string) => `${who} has no ticket, and presents ${what}.`,
  },

  unplaced: (n: number) =>
    count(n, { one: 'Not placed yet: # abstract', other: 'Not placed yet: # abstracts' }),
  unplacedNone: 'All accepted abstracts have their places.',
  unplacedNoneHere: 'None of this topic and kind is left.',
  topic: 'Topic',
  kind: 'Kind',
  anyTopic: 'All topics',
  anyKind: 'All kinds',
  noTopic: 'Without a topic',
  show: 'Show',
  showAll: (n: number) => count(n, { one: 'Show all: # abstract', other: 'Show all: # abstracts' }),
  place: 'Place…',
  placeName: (title: string) => `Place ${title}`,
  placeTitle: 'Place an abstract',
  placeInto: 'Session',
  placeSubmit: 'Place it',
  notAccepted: 'This abstract is not accepted, so no session takes it.',
  noSessions: 'There is no session yet: add one first.',

  rooms: 'Rooms',
  roomsAbout: 'The programme shows them in this order.',
  roomsNone: 'There is no room yet',
  roomsNoneAbout: 'Sessions can stay without a room until you know it.',
  roomsFull: (most: number) => `An event has at most ${most} rooms.`,
  newRoom: 'Add a room',
  room: 'Room',
  name: 'Name',
  sessionsOf: (n: number) => count(n, { one: '# session', other: '# sessions' }),
  up: (name: string) => `Move ${name} up`,
  down: (name: string) => `Move ${name} down`,
  addRoom: 'Add it',
  removeRoom: 'Remove…',
  removeRoomTitle: (name: string) => `Remove ${name}?`,
  removeRoomWill: (n: number) =>
    n === 0
      ? 'No session is held there.'
      : count(n, {
          one: '# session is held there. It stays, without a room.',
          other: '# sessions are held there. They stay, without a room.',
        }),
  removeRoomSubmit: 'Remove the room',

  newSession: 'Add a session',
  addSession: 'Add it',
  changeSession: 'Change the session',
  sessionTitle: 'Title',
  begins: 'Beginning',
  beginsHelp: 'What stands in the session follows it, each after the one before.',
  ends: 'End',
  chairsHelp: (most: number) =>
    `One a line, at most ${most}, and the e-mail after a comma if you know it: “Grace Hopper, grace@example.org”.`,
  wrongChair: (line: string) => `This line has no name: “${line}”.`,
  tooManyChairs: (most: number) => `Write at most ${most}.`,
  aboutSession: 'About the session',
  aboutSessionHelp: 'It stands above what is in the session.',
  removeSession: 'Remove…',
  removeSessionTitle: (name: string) => `Remove ${name}?`,
  removeSessionWill: (n: number) =>
    n === 0
      ? 'Nothing stands in it.'
      : count(n, {
          one: '# entry goes with it. An abstract can be placed elsewhere.',
          other: '# entries go with it. Abstracts can be placed elsewhere.',
        }),
  removeSessionSubmit: 'Remove the session',

  contents: 'What stands in it',
  over: (time: string) => `Over at ${time}.`,
  spare: (n: number) => count(n, { one: '# minute is left.', other: '# minutes are left.' }),
  addAbstracts: 'Add abstracts',
  addText: 'Add a text',
  addAbstractsAbout:
    'Each gets the minutes of its kind, which you can change. Posters hang through the whole session.',
  toAdd: 'Accepted abstracts',
  every: (n: number) => count(n, { one: 'The # that is listed here', other: 'All # that are listed here' }),
  placedToo: 'Show also those that have a place',
  notPlacedOnly: 'Show only those without a place',
  addNone: 'There is no accepted abstract that has no place yet.',
  addSubmit: 'Add them',
  text: 'Text',
  textHelp: 'Such as “Welcome” or “Coffee break”.',
  length: 'Minutes',
  lengthHelp: (most: number) => `From 0 to ${most}. With 0 it has the whole session, as a poster does.`,
  addTextSubmit: 'Add it',
  change: 'Change',
  changeName: (name: string) => `Change ${name}`,
  changeTitle: 'Change an entry',
  session: 'Session',
  sessionHelp: 'In another session it stands at the end.',
  remove: 'Remove',
  removeName: (name: string) => `Remove ${name}`,
}
