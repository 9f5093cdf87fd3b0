/** Chairs add abstracts in the name of others. */
export const abstractAdding = {
  title: 'Add an abstract',
  about:
    'In the name of somebody who cannot submit it. The dates of the call, how many one person may send and a required file do not matter here.',
  noCall: 'Set up the call first',
  noCallAbout: 'It says what an abstract consists of. It need not be open.',
  /** In place of what the form says to authors. */
  form: {
    you: 'Who submits it',
    yourName: 'Name of the person',
    yourEmail: 'E-mail of the person',
    yourEmailHelp:
      'What has the same e-mail belongs to one person, who reaches all of it by the mailed link.',
    yourPhone: 'Telephone of the person',
    me: 'Is who submits it',
    save: 'Add the abstract',
  },
  tell: 'Tell the person by mail',
  tellHelp: 'With the link by which the abstract is read, changed and withdrawn.',
}
