/** These texts are for the part about mail of the page for operators. */
export const systemMail = {
  title: 'Mail',
  server: 'Server',
  serverAt: (host: string, port: number) => `${host}, port ${port}`,
  sender: 'From',
  waiting: 'Waiting',
  orMore: (count: string) => `${count} or more`,
  lastSent: 'Last sent',
  neverSent: 'Nothing yet',
  notSetUp: 'Nothing is mailed: no server for mail is set up. Mails wait until there is one.',
  notSetUpHow: 'Whoever runs the server names that of your provider, and starts it again:',
  notSetUpService:
    'Under systemd, those are these lines in /etc/turnout/turnout.conf, and “systemctl restart turnout”:',
  shown: 'This is a sandbox: mails are shown, and sent to nobody.',
  onHold: (since: string) =>
    `Nothing is mailed since ${since}, and payments are paused: this database may be a copy of another.`,
  onHoldAbout:
    'It was restored, copied or put back by hand, or somebody has held it by “turnout mail hold”. If another server runs on the same data, both would mail the same people and pay the same back. Mails, card payments and refunds wait until you say that there is none.',
  letGo: 'Mail again…',
  letGoTitle: 'Mail from this data again?',
  letGoOther:
    'You say that no other server runs on this data or on a copy of it. If one does, people get mails twice.',
  letGoWaiting: (count: string) => `Mails that wait go out at once: ${count}.`,
  letGoSubmit: 'There is no other: mail again',
  trouble: (since: string) =>
    `No mail goes out since ${since}. Nothing is lost: mails wait, and are tried again.`,
  answer: 'What was said:',
  remedies: {
    name: 'The name of the server for mail is not known: check it, and whether this machine can look names up.',
    connection: 'Nothing answers there: check the port, and whether a firewall or the provider blocks it.',
    silence: 'The server did not answer in time. Port 465 wants smtps://, port 587 smtp://.',
    certificate:
      'Its certificate is not trusted, so nothing was sent. Use the name that the certificate is for.',
    no_tls: 'The server has no STARTTLS there, so nothing was sent: try smtps:// with port 465.',
    tls: 'The encryption failed: smtps:// goes with port 465, smtp:// with port 587.',
    sign_in: 'The server does not take the user and the password: check both, or set them.',
    sender: 'The server does not take mail from this sender: use an address that the user may send from.',
    server: 'The server takes no mail now. If that does not pass, ask its provider.',
  },
  test: 'Send a test mail',
  testTo: (email: string) => `It goes to ${email}.`,
  tested: {
    waiting: (at: string) => `The test mail of ${at} waits.`,
    sent: (at: string) => `The test mail of ${at} was taken by the server. Look whether it has arrived.`,
    failed: (at: string) => `The test mail of ${at} was refused.`,
    withdrawn: (at: string) => `The test mail of ${at} was not sent.`,
  },
  spf: 'SPF',
  dmarc: 'DMARC',
  dkim: 'DKIM',
  notSigned:
    'Mails are not signed here. Where your provider does not sign them either, “turnout mail dkim” makes a key for it.',
  dkimIs: {
    found: (name: string) => `Mails are signed, and ${name} has the key.`,
    missing: (name: string) =>
      `Mails are signed, but ${name} has no record, so nobody can check it. “turnout mail dkim” prints the one to add.`,
    other: (name: string) =>
      `Mails are signed, but ${name} has the record of another key, so each signature is wrong. “turnout mail dkim” prints the right one.`,
    unknown: (_: string) => 'Mails are signed. Their record could not be looked up now.',
  },
  looking: 'Being looked up…',
  spfIs: {
    found: (domain: string) => `${domain} says who may send in its name.`,
    missing: (domain: string) =>
      `${domain} does not say who may send in its name, so many mails end up as spam. Your provider has the text for its name server: a TXT record that begins with “v=spf1”.`,
    several: (domain: string) => `${domain} has several records that begin with “v=spf1”: make one of them.`,
    unknown: (_: string) => 'Could not be looked up now.',
  },
  dmarcIs: {
    found: (domain: string) => `${domain} says what becomes of forged mails.`,
    missing: (domain: string) =>
      `${domain} does not say what becomes of forged mails, which large providers ask for. Add a TXT record for _dmarc.${domain}: “v=DMARC1; p=none” is a beginning.`,
    several: (domain: string) =>
      `_dmarc.${domain} has several records that begin with “v=DMARC1”: leave one.`,
    unknown: (_: string) => 'Could not be looked up now.',
  },
}
