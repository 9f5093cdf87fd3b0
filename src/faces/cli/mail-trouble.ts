import { Refusal } from '#base/refusal.ts'
import type { SmtpOutcome } from '#machinery/mail/smtp.ts'
import type { SmtpOptions } from '#machinery/mail/smtp-settings.ts'
import type { Trouble } from '#machinery/mail/smtp-trouble.ts'

interface Tried {
  options: SmtpOptions
  sender: string
  to: string
}

/** Explains in one line why the server did not take a mail, and what would help. */
export function refusalOf(outcome: Exclude<SmtpOutcome, { state: 'sent' }>, tried: Tried): Refusal {
  const answer = quote(outcome.answer)
  if (outcome.state === 'unavailable') return new Refusal(`${remedies[outcome.trouble](tried)} ${answer}`)
  const { to } = tried
  const how = outcome.isFinal ? 'does not take' : 'does not take now'
  return new Refusal(
    `The server ${how} a mail to ${to}. Check the address; if relaying is denied, --smtp-url needs a user and a password. ${answer}`,
  )
}

function quote(answer: string): string {
  return `It said: ${answer.replace(/\.?$/, '.')}`
}

const remedies: Readonly<Record<Trouble, (tried: Tried) => string>> = {
  name: ({ options: { host } }) =>
    `There is no server ${host}: check the name in --smtp-url, and whether this machine can look names up.`,
  connection: ({ options: { host, port } }) =>
    `Nothing answers at port ${port} of ${host}: check the port in --smtp-url (587 with smtp://, 465 with smtps://), and whether a firewall or the provider of this machine blocks it.`,
  silence: ({ options: { host, port, secure } }) =>
    `Port ${port} of ${host} is open, but the server did not answer in time. ${
      secure ? 'Try smtp:// with port 587.' : 'Port 465 wants smtps:// in --smtp-url; else try again later.'
    }`,
  certificate: ({ options: { host } }) =>
    `The certificate of ${host} is not trusted, so nothing was sent. Use the name in --smtp-url that the certificate is for; name the file of a certificate authority of your own in NODE_EXTRA_CA_CERTS.`,
  no_tls: ({ options: { host, port } }) =>
    `The server has no STARTTLS at port ${port} of ${host}, so nothing was sent, not even the password. Try smtps:// with port 465; only on a network that nobody else can read, add ?tls=none to --smtp-url.`,
  tls: ({ options: { host, port, secure } }) =>
    secure
      ? `Port ${port} of ${host} does not speak TLS from the start: use smtp:// in --smtp-url, with port 587.`
      : `The encryption with port ${port} of ${host} failed: the server must offer TLS 1.2 or newer.`,
  sign_in: ({ options: { auth } }) =>
    auth === undefined
      ? 'The server wants a user and a password: put them into --smtp-url, as in smtp://user:password@mail.example.org:587.'
      : `The server does not take the user ${auth.user} with its password: check both in --smtp-url, where % is written as %25 and @ as %40. Some providers want a password made for programs.`,
  sender: ({ sender }) =>
    `The server does not take mail from ${sender}: set --mail-from to an address that this user may send from.`,
  server: () => 'The server takes no mail now, or broke off: try again later, or ask its provider.',
}
