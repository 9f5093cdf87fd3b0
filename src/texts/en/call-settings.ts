/** The call for abstracts, for those who set it up. */
export const callSettings = {
  title: 'Call for abstracts',
  titleAbout: 'What authors are asked for, and until when.',
  create: 'Set up the call',
  setUp: 'Set up the call for abstracts',
  change: 'Change the call',
  preview: 'See what authors will see',
  phases: { before: 'Not open yet', open: 'Open', over: 'Closed' },
  stands: {
    before: ({ opens, closes }: Span) => `Opens on ${opens}, and is open until ${closes}.`,
    open: ({ closes }: Span) => `Authors can submit until ${closes}.`,
    over: ({ closes }: Span) => `Authors could submit until ${closes}.`,
  },
  figures: (received: string, begun: string) => `Received: ${received}. Begun and not sent: ${begun}.`,
  switchedOff: 'Authors see it once abstracts are switched on in the settings of the event.',
  address: 'Address for authors',

  when: 'When it is open',
  opens: 'Opens',
  opensHelp: (timezone: string) => `In the time of ${timezone}.`,
  closes: 'Deadline',
  closesHelp: 'This minute still counts: 23:59 means until midnight.',
  zone: 'Time zone of the deadline',
  zoneHelp: 'Authors read the deadline in it, and you enter it in it.',
  zoneOfEvent: (timezone: string) => `That of the event: ${timezone}`,
  zoneAnywhere: 'Anywhere on earth (UTC−12): in time while it is still that day somewhere',
  authorsRead: (deadline: string) => `With what stands here, authors read the deadline as: ${deadline}.`,
  about: 'What you ask for',
  aboutHelp: 'It stands on the page of the call. Markdown: **bold**, lists, links.',
  text: 'The text',
  words: 'Most words',
  sections: 'Sections',
  sectionsHelp:
    'One a line, such as Background, Methods, Results. Authors fill in each. Without any, the text is one.',
  choices: 'What authors choose',
  choicesHelp: 'What an abstract has already stays with it, whatever you take out here.',
  topics: 'Topics',
  topicsHelp: 'One a line, at most 50. Without any, nobody is asked for a topic.',
  talks: 'Talks',
  talksHelp: 'One kind a line, with its minutes after a comma: “Long talk, 30”. Minutes may be left out.',
  posters: 'Posters',
  postersHelp: 'One kind a line, such as “Poster”. Without talks and posters, nobody is asked for a kind.',
  fileTitle: 'File',
  file: 'A PDF with the abstract',
  fileHelp: 'Chairs download it; it is never public, and nobody looks into it for viruses.',
  files: { none: 'No file', optional: 'Authors may attach one', required: 'Each abstract needs one' },
  fileSize: 'Largest file, in MB',
  fileSizeHelp: (most: number) => `At most ${most}. It matters only where files are taken.`,
  perPerson: 'Abstracts a person',
  perPersonHelp: 'How many one person may send.',
  wrongLines: (most: number) => `Write one a line: at most ${most}, and each once.`,
  wrongMinutes: (name: string, most: number) => `${name.trim()}: enter 1 to ${most} minutes.`,
}

interface Span {
  opens: string
  closes: string
}
