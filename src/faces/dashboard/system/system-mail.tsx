import { findHold } from '../../db/instance.ts'
import type { ReadTx } from '../../db/port.ts'
import type { DomainState } from '../../emails/domain-watch.ts'
import { letGo } from '../../emails/hold.ts'
import type { MailTrouble } from '../../emails/loop.ts'
import { queue } from '../../emails/outbox.ts'
import * as emails from '../../emails/rules.ts'
import type { Email } from '../../emails/schemas.ts'
import { testMail } from '../../emails/test-mail.ts'
import { newUuid } from '../../ids.ts'
import {
  Banner,
  ButtonLink,
  Facts,
  Head,
  PostButton,
  Preformatted,
  Time,
} from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { Form } from '../../web/forms/form-view.tsx'
import type { Voice } from '../../web/voice.ts'
import type { OfAccount, Services } from '../asked.ts'
import { button } from '../button.ts'
import { formPage } from '../form-page.ts'
import type { MailService } from '../mail-service.ts'
import { paths } from '../paths.ts'

const PATH = '/a/{account}/system/mail'
/** Mails that are counted one by one. */
const MAX_COUNTED = 10_000
/** Among so many mails to whoever asks, the last test mail is looked for. */
const LOOKED_THROUGH = 20

/** How it stands with mail, as its part of the page shows it. */
export interface MailLook extends Pick<MailService, 'isSetUp' | 'through'> {
  held: number | null
  waiting: number
  lastSent: number | null
  tested: Email | undefined
  trouble: MailTrouble | undefined
  domain: DomainState | undefined
}

export async function lookAtMail({ db, mail }: Services, { account, user }: OfAccount): Promise<MailLook> {
  const { trouble, lastSent } = mail.state() ?? {}
  const stored = await db.read(async tx => {
    const recipient = user.email
    const toMe = await emails.list(tx, account.id, { recipient }, { limit: LOOKED_THROUGH })
    const [sent] = await emails.list(tx, account.id, { status: 'sent' }, { limit: 1 })
    return {
      ...(await loadHold(tx)),
      // What this server has sent since its start is of any account.
      lastSent: lastSent ?? sent?.sent_at ?? null,
      tested: toMe.find(({ kind }) => kind === testMail.name),
    }
  })
  const { isSetUp, through } = mail
  return { ...stored, isSetUp, through, trouble, domain: mail.domain() }
}

async function loadHold(tx: ReadTx): Promise<Pick<MailLook, 'held' | 'waiting'>> {
  return { held: await findHold(tx), waiting: await emails.countWaiting(tx, MAX_COUNTED) }
}

/** Whether the part changes by itself in a moment. */
export function isMoving({ isSetUp, through, held, tested, trouble, domain }: MailLook): boolean {
  const isOnItsWay = isSetUp && held === null && trouble === undefined && tested?.status === 'waiting'
  return isOnItsWay || (through !== undefined && domain === undefined)
}

function tellCount(waiting: number, { texts, format }: Voice): string {
  const count = format.number(waiting)
  return waiting === MAX_COUNTED ? texts.systemMail.orMore(count) : count
}

export function MailPart({ look, asked }: { look: MailLook; asked: OfAccount }) {
  const { account, user, voice } = asked
  const { texts, format } = voice
  const { systemMail: said } = texts
  const { isSetUp, through, held, waiting, lastSent, tested, trouble, domain } = look
  return (
    <section class="card stack" aria-labelledby="mail">
      <h2 id="mail">{said.title}</h2>
      {held !== null && (
        <>
          <Banner tone="warn">
            <p>{said.held(format.dateTime(held))}</p>
            <p>{said.heldAbout}</p>
          </Banner>
          <div>
            <ButtonLink href={paths.letMailGo(account.id)}>{said.letGo}</ButtonLink>
          </div>
        </>
      )}
      {trouble !== undefined && <Trouble trouble={trouble} voice={voice} />}
      {!isSetUp && <NoMail voice={voice} />}
      {isSetUp && through === undefined && <p>{said.shown}</p>}
      <Facts
        facts={[
          ...(through === undefined
            ? []
            : ([
                [said.server, <bdi key="server">{said.serverAt(through.host, through.port)}</bdi>],
                [said.sender, <bdi key="sender">{through.sender}</bdi>],
              ] as const)),
          [said.waiting, tellCount(waiting, voice)],
          [
            said.lastSent,
            lastSent === null ? said.neverSent : <Time key="sent" at={lastSent} format={format} />,
          ],
          ...(through === undefined
            ? []
            : ([
                [said.spf, domain === undefined ? said.looking : said.spfIs[domain.spf](domain.domain)],
                [said.dmarc, domain === undefined ? said.looking : said.dmarcIs[domain.dmarc](domain.domain)],
              ] as const)),
        ]}
      />
      {tested !== undefined && <Tested tested={tested} voice={voice} />}
      {isSetUp && (
        <div>
          <PostButton action={paths.testMail(account.id)}>{said.test}</PostButton>
          <p class="help">
            <bdi>{said.testTo(user.email)}</bdi>
          </p>
        </div>
      )}
    </section>
  )
}

function Trouble({ trouble: { since, kind, answer }, voice }: { trouble: MailTrouble; voice: Voice }) {
  const { systemMail: said } = voice.texts
  return (
    <Banner tone="bad">
      <p>{said.trouble(voice.format.dateTime(since))}</p>
      <p>{said.remedies[kind]}</p>
      <Answer answer={answer} voice={voice} />
    </Banner>
  )
}

/** What a server says is mostly in English. */
function Answer({ answer, voice }: { answer: string; voice: Voice }) {
  return (
    <p>
      {voice.texts.systemMail.said} <bdi lang="en">{answer}</bdi>
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

/** How to have mail. */
function NoMail({ voice: { texts } }: { voice: Voice }) {
  const { systemMail: said } = texts
  return (
    <>
      <Banner tone="warn">
        <p>{said.notSetUp}</p>
      </Banner>
      <p>{said.notSetUpHow}</p>
      <Preformatted text="turnout serve --smtp-url smtp://user:password@mail.example.org:587 --mail-from tickets@example.org" />
      <p>{said.notSetUpService}</p>
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
  act: async (tx, { account, user }) => {
    const { email: recipient, language } = user
    await queue(tx, account.id, testMail, { cause: newUuid(), recipient, language })
  },
  entry: () => ({ action: 'system.mail_test', targetType: 'instance' }),
  next: (_, { account }) => ({ path: paths.system(account.id), flash: flash('mailTested', {}) }),
  back: ({ account }) => paths.system(account.id),
})

/** The word of an operator that there is no other server on this data. */
export const letMailGo = formPage('account', {
  path: `${PATH}/resume`,
  isOfInstance: true,
  load: loadHold,
  fields: () => ({}),
  seen: ({ held }) => String(held),
  view: ({ waiting }, { account, voice }, state) => {
    const { systemMail: said, system } = voice.texts
    const leave = paths.system(account.id)
    return {
      title: said.letGoTitle,
      body: (
        <>
          <Head title={said.letGoTitle} crumbs={<a href={leave}>{system.title}</a>} />
          <div class="card">
            <Form
              state={state}
              texts={voice.texts}
              action={paths.letMailGo(account.id)}
              submit={said.letGoSubmit}
              leave={leave}
              isDanger
            >
              <ul class="will">
                <li>{said.letGoOther}</li>
                <li>{said.letGoWaiting(tellCount(waiting, voice))}</li>
              </ul>
            </Form>
          </div>
        </>
      ),
    }
  },
  act: letGo,
  entry: () => ({
    action: 'system.mail_resume',
    targetType: 'instance',
    hasChanged: held => held !== null,
  }),
  next: (_, { account }) => ({ path: paths.system(account.id), flash: flash('mailLetGo', {}) }),
})
