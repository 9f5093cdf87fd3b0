import { newUuid } from '#base/ids.ts'
import { button } from '#faces/dashboard/frame/button.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { AccountRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { findHold } from '#machinery/db/instance.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { DomainState } from '#machinery/mail/domain-watch.ts'
import { release } from '#machinery/mail/hold.ts'
import type { MailTrouble } from '#machinery/mail/loop.ts'
import { queue } from '#machinery/mail/outbox.ts'
import * as emails from '#machinery/mail/rules.ts'
import type { Email } from '#machinery/mail/schemas.ts'
import { testMail } from '#machinery/mail/test-mail.ts'
import {
  Banner,
  ButtonLink,
  Facts,
  PostButton,
  Preformatted,
  Time,
} from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import type { Voice } from '#machinery/web/voice.ts'
import type { MailService } from './mail-service.ts'

const PATH = '/a/{account}/system/mail'
/** Mails are counted exactly below this number. */
const MAX_COUNTED = 10_000
/** The last test mail is looked for among this many mails to the user. */
const LOOKED_THROUGH = 20

/** The state of mail, as its part of the page shows it. */
export interface MailLook extends Pick<MailService, 'isSetUp' | 'through'> {
  heldSince: number | null
  waiting: number
  lastSent: number | null
  tested: Email | undefined
  trouble: MailTrouble | undefined
  domain: DomainState | undefined
}

export async function lookAtMail(
  { db, mail }: Services,
  { account, user }: AccountRequest,
): Promise<MailLook> {
  const { trouble, lastSent } = mail.state() ?? {}
  const stored = await db.read(account.id, async tx => {
    const recipient = user.email
    const toMe = await emails.list(tx, { recipient }, { limit: LOOKED_THROUGH })
    const [sent] = await emails.list(tx, { status: 'sent' }, { limit: 1 })
    return {
      ...(await loadHold(tx)),
      // The mails that this server has sent since its start can belong to any account.
      lastSent: lastSent ?? sent?.sent_at ?? null,
      tested: toMe.find(({ kind }) => kind === testMail.name),
    }
  })
  const { isSetUp, through } = mail
  return { ...stored, isSetUp, through, trouble, domain: mail.domain() }
}

async function loadHold(tx: ReadTx): Promise<Pick<MailLook, 'heldSince' | 'waiting'>> {
  return { heldSince: await findHold(tx), waiting: await emails.countWaiting(tx, MAX_COUNTED) }
}

/** Returns whether the part is about to change by itself. */
export function isMoving({ isSetUp, through, heldSince, tested, trouble, domain }: MailLook): boolean {
  const isOnItsWay = isSetUp && heldSince === null && trouble === undefined && tested?.status === 'waiting'
  return isOnItsWay || (through !== undefined && domain === undefined)
}

function tellCount(waiting: number, { texts, format }: Voice): string {
  const count = format.number(waiting)
  return waiting === MAX_COUNTED ? texts.systemMail.orMore(count) : count
}

export function MailPart({ look, request }: { look: MailLook; request: AccountRequest }) {
  const { account, user, voice } = request
  const { texts, format } = voice
  const { systemMail: labels } = texts
  const { isSetUp, through, heldSince, waiting, lastSent, tested, trouble, domain } = look
  return (
    <section class="card stack" aria-labelledby="mail">
      <h2 id="mail">{labels.title}</h2>
      {heldSince !== null && (
        <>
          <Banner tone="warn">
            <p>{labels.onHold(format.dateTime(heldSince))}</p>
            <p>{labels.onHoldAbout}</p>
          </Banner>
          <div>
            <ButtonLink href={paths.letMailGo(account.id)}>{labels.letGo}</ButtonLink>
          </div>
        </>
      )}
      {trouble !== undefined && <Trouble trouble={trouble} voice={voice} />}
      {!isSetUp && <NoMail voice={voice} />}
      {isSetUp && through === undefined && <p>{labels.shown}</p>}
      <Facts
        facts={[
          ...(through === undefined
            ? []
            : ([
                [labels.server, <bdi key="server">{labels.serverAt(through.host, through.port)}</bdi>],
                [labels.sender, <bdi key="sender">{through.sender}</bdi>],
              ] as const)),
          [labels.waiting, tellCount(waiting, voice)],
          [
            labels.lastSent,
            lastSent === null ? labels.neverSent : <Time key="sent" at={lastSent} format={format} />,
          ],
          ...(through === undefined
            ? []
            : ([
                [labels.spf, domain === undefined ? labels.looking : labels.spfIs[domain.spf](domain.domain)],
                [
                  labels.dmarc,
                  domain === undefined ? labels.looking : labels.dmarcIs[domain.dmarc](domain.domain),
                ],
                [labels.dkim, tellDkim(through.dkim, domain, labels)],
              ] as const)),
        ]}
      />
      {tested !== undefined && <Tested tested={tested} voice={voice} />}
      {isSetUp && (
        <div>
          <PostButton action={paths.testMail(account.id)}>{labels.test}</PostButton>
          <p class="help">
            <bdi>{labels.testTo(user.email)}</bdi>
          </p>
        </div>
      )}
    </section>
  )
}

function tellDkim(
  record: string | undefined,
  domain: DomainState | undefined,
  labels: Voice['texts']['systemMail'],
): string {
  if (record === undefined) return labels.notSigned
  return domain?.dkim === undefined ? labels.looking : labels.dkimIs[domain.dkim](record)
}

function Trouble({ trouble: { since, kind, answer }, voice }: { trouble: MailTrouble; voice: Voice }) {
  const { systemMail: labels } = voice.texts
  return (
    <Banner tone="bad">
      <p>{labels.trouble(voice.format.dateTime(since))}</p>
      <p>{labels.remedies[kind]}</p>
      <Answer answer={answer} voice={voice} />
    </Banner>
  )
}

/** Mail servers answer mostly in English. */
function Answer({ answer, voice }: { answer: string; voice: Voice }) {
  return (
    <p>
      {voice.texts.systemMail.answer} <bdi lang="en">{answer}</bdi>
    </p>
  )
}

function Tested({ tested: { status, answer, created_at }, voice }: { tested: Email; voice: Voice }) {
  const { texts, format } = voice
  return (
    <div>
      <p>{texts.systemMail.tested[status](format.dateTime(created_at))}</p>
      {answer !== null && <Answer answer={answer} voice={voice} />}
    </div>
  )
}

/** Explains how to set mail up. */
function NoMail({ voice: { texts } }: { voice: Voice }) {
  const { systemMail: labels } = texts
  return (
    <>
      <Banner tone="warn">
        <p>{labels.notSetUp}</p>
      </Banner>
      <p>{labels.notSetUpHow}</p>
      <Preformatted text="turnout serve --smtp-url smtp://user:password@mail.example.org:587 --mail-from tickets@example.org" />
      <p>{labels.notSetUpService}</p>
      <Preformatted
        text={
          'TURNOUT_SMTP_URL=smtp://user:password@mail.example.org:587\nTURNOUT_MAIL_FROM=tickets@example.org'
        }
      />
    </>
  )
}

export const sendTestMail = button('account', {
  path: `${PATH}/test`,
  isOfInstance: true,
  act: async (tx, { user }) => {
    const { email: recipient, language } = user
    await queue(tx, testMail, { cause: newUuid(), recipient, language })
  },
  entry: () => ({ action: 'system.mail_test', targetType: 'instance' }),
  next: (_, { account }) => ({ path: paths.system(account.id), flash: flash('mailTested', {}) }),
  back: ({ account }) => paths.system(account.id),
})

/** An operator confirms that no other server works on this data. */
export const releaseMail = formPage('account', {
  path: `${PATH}/resume`,
  isOfInstance: true,
  load: loadHold,
  fields: () => ({}),
  preview: ({ heldSince }) => String(heldSince),
  parts: ({ waiting }, { account, voice }) => {
    const { systemMail: labels, system } = voice.texts
    return {
      ...{ title: labels.letGoTitle, crumbs: system.title, leave: paths.system(account.id) },
      ...{ submit: labels.letGoSubmit, isDanger: true },
      will: [labels.letGoOther, labels.letGoWaiting(tellCount(waiting, voice))],
    }
  },
  act: release,
  entry: () => ({
    action: 'system.mail_resume',
    targetType: 'instance',
    hasChanged: heldSince => heldSince !== null,
  }),
  next: (_, { account }) => ({ path: paths.system(account.id), flash: flash('mailLetGo', {}) }),
})
