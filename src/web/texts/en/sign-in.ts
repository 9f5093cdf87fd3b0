export const signIn = {
  title: 'Sign in',
  submit: 'Sign in',
  email: 'E-mail',
  password: 'Password',
  forgotten: 'No password any more? An owner of your organization can give you a link to choose a new one.',
  codeTitle: 'One more step',
  code: 'Code',
  codeHelp: 'The six digits that your app shows now, or one of your recovery codes.',
}
