export const signIn = {
  title: 'Sign in',
  submit: 'Sign in',
  nothingYet: 'Nothing is set up here yet',
  nothingYetAbout: 'Open the link that the terminal printed; start again for another.',
  nobodyYet: 'Nobody can sign in here yet',
  nobodyYetAbout:
    'The person who runs this server invites the first owner: “turnout user invite” prints a link that works for a week.',
  email: 'E-mail',
  password: 'Password',
  forgotten: 'No password any more? An owner of your organization can give you a link to choose a new one.',
  forgottenLink: 'Forgot your password?',
  forgottenTitle: 'Forgot your password?',
  forgottenAbout:
    'If somebody signs in with this e-mail, a link to choose a new password goes there. It works once, within an hour. Two-step verification stays.',
  forgottenSubmit: 'Send the link',
  codeTitle: 'One more step',
  code: 'Code',
  codeHelp: 'The six digits that your app shows now, or one of your recovery codes.',
}
