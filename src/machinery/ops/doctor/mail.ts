import type { Reader } from '#machinery/db/batches.ts'
import { findHold } from '#machinery/db/instance.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { recordName } from '#machinery/mail/dkim.ts'
import { type DomainState, lookUpDomain, type TextLookup } from '#machinery/mail/domain-watch.ts'
import { Smtp } from '#machinery/mail/smtp.ts'
import { domainOf, type Sender, type SmtpOptions } from '#machinery/mail/smtp-settings.ts'
import { type Finding, type FindingLevel, finding } from './finding.ts'

export interface MailPatient {
  reader: Reader | undefined
  /** The server for mail, and whom mails come from. It is undefined if nothing is mailed. */
  through: { options: SmtpOptions; sender: Sender } | undefined
  /** Whether a sandbox shows mails instead. */
  isShown: boolean
  /** For tests: looks up the texts of names. */
  textLookup?: TextLookup | undefined
}

/** Signs in at the server for mail without sending anything, and looks up what the sender's domain says. */
export async function lookAtMail(patient: MailPatient): Promise<Finding[]> {
  const { reader, through, isShown, textLookup } = patient
  const held = (await reader?.read(INSTANCE, findHold)) ?? null
  const found: Finding[] = []
  if (held !== null) {
    found.push(
      finding('warning', 'mail_held', ({ texts, format }) => texts.systemMail.onHold(format.dateTime(held))),
    )
  }
  if (through === undefined) {
    if (!isShown) found.push(finding('warning', 'mail_off', ({ texts }) => texts.doctor.mailOff))
    return found
  }
  const { options, sender } = through
  const smtp = new Smtp(options, sender)
  const [greeted, domain] = await Promise.all([
    smtp.greet().finally(() => smtp.close()),
    lookUpDomain({ domain: domainOf(sender), dkim: sender.dkim, lookup: textLookup }),
  ])
  if (greeted === undefined) {
    found.push(finding('ok', 'smtp_ready', ({ texts }) => texts.doctor.smtpReady(options.host, options.port)))
  } else {
    const { trouble, answer } = greeted
    found.push(
      finding('error', `smtp_${trouble}`, ({ texts }) =>
        texts.doctor.smtpTrouble(options.host, options.port, texts.systemMail.remedies[trouble], answer),
      ),
    )
  }
  return [...found, ...lookAtDomain(domain, sender)]
}

/** How much it matters what the domain says. */
const LEVELS = { found: 'ok', missing: 'warning', several: 'error', unknown: 'info' } as const

function lookAtDomain({ domain, spf, dmarc, dkim }: DomainState, sender: Sender): Finding[] {
  const found = [
    finding(LEVELS[spf], `spf_${spf}`, ({ texts }) => `SPF: ${texts.systemMail.spfIs[spf](domain)}`),
    finding(
      LEVELS[dmarc],
      `dmarc_${dmarc}`,
      ({ texts }) => `DMARC: ${texts.systemMail.dmarcIs[dmarc](domain)}`,
    ),
  ]
  if (dkim === undefined || sender.dkim === undefined)
    return [...found, finding('info', 'dkim_off', ({ texts }) => `DKIM: ${texts.systemMail.notSigned}`)]
  const name = recordName(sender.dkim)
  // Each signature is wrong without the right record, which is worse than none.
  const level: FindingLevel = dkim === 'found' ? 'ok' : dkim === 'unknown' ? 'info' : 'error'
  return [
    ...found,
    finding(level, `dkim_${dkim}`, ({ texts }) => `DKIM: ${texts.systemMail.dkimIs[dkim](name)}`),
  ]
}
