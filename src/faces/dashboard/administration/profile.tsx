import * as accounts from '../../accounts/rules.ts'
import type { ReadTx } from '../../db/port.ts'
import * as users from '../../users/rules.ts'
import type { Session } from '../../users/schemas.ts'
import * as sessions from '../../users/sessions.ts'
import { ButtonLink, Facts, Head, Pill, PostButton, Time } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { Format } from '../../web/format.ts'
import { type List, Table } from '../../web/lists/list.tsx'
import type { OfUser } from '../asked.ts'
import { browserName } from '../browser-name.ts'
import { ownButton } from '../own-button.ts'
import { paths } from '../paths.ts'
import { showPage } from '../show.tsx'
import { Memberships } from './home.tsx'

interface Profile {
  open: readonly Row[]
  codes: number
  timezone: string
}

interface Row extends Session {
  isThis: boolean
}

const list: List<Row> = {
  caption: texts => texts.profile.sessions,
  columns: [
    {
      label: texts => texts.profile.browser,
      place: 'name',
      cell: ({ browser }, { texts }) => <bdi>{browserName(browser, texts)}</bdi>,
    },
    { label: texts => texts.profile.address, place: 'line', cell: ({ address }) => <bdi>{address}</bdi> },
    {
      label: texts => texts.profile.lastUsed,
      place: 'when',
      cell: ({ last_used_at }, { format }) => <Time at={last_used_at} format={format} />,
    },
    {
      label: texts => texts.profile.since,
      place: 'wide',
      cell: ({ created_at }, { format }) => <Time at={created_at} format={format} />,
    },
    {
      label: texts => texts.profile.end,
      place: 'amount',
      isNumber: true,
      cell: ({ id, isThis, browser }, { texts }) =>
        isThis ? (
          <Pill tone="good">{texts.profile.thisOne}</Pill>
        ) : (
          <PostButton action={paths.endSession(id)} label={texts.profile.endOf(browserName(browser, texts))}>
            {texts.profile.end}
          </PostButton>
        ),
    },
  ],
}

/** Whoever is signed in, of no organization. */
export const profile = showPage('user', {
  path: '/profile',
  load: async (tx, { user, sessionId, memberships }, { clock }): Promise<Profile> => {
    const open = await sessions.list(tx, user.id, clock())
    return {
      open: open.map(session => ({ ...session, isThis: session.id === sessionId })),
      codes: await users.countRecoveryCodes(tx, user.id),
      timezone: await findTimezone(tx, memberships[0]?.account.id),
    }
  },
  view: (loaded, asked) => ({
    title: asked.voice.texts.profile.title,
    body: <ProfileBody loaded={loaded} asked={asked} />,
  }),
})

/** The clocks that a person knows are those of their first organization. */
async function findTimezone(tx: ReadTx, accountId: string | undefined): Promise<string> {
  return accountId === undefined ? accounts.DEFAULT_TIMEZONE : (await accounts.get(tx, accountId)).timezone
}

function ProfileBody({ loaded, asked }: { loaded: Profile; asked: OfUser }) {
  const { memberships, voice } = asked
  const { texts } = voice
  const format = new Format(voice.format.language, loaded.timezone)
  const others = loaded.open.length > 1
  return (
    <div class="stack">
      <Head
        title={texts.profile.title}
        actions={<PostButton action={paths.signOut}>{texts.people.signOut}</PostButton>}
      />
      <div class="two even">
        <OwnFacts asked={asked} />
        <SigningIn codes={loaded.codes} asked={asked} />
      </div>
      <Table list={list} rows={loaded.open} voice={{ texts, format }} hasHeading />
      <div class="row">
        {others && <PostButton action={paths.endOtherSessions}>{texts.profile.endOthers}</PostButton>}
        <p class="help">{texts.page.timesIn(loaded.timezone)}</p>
      </div>
      <section class="card" aria-labelledby="organizations">
        <h2 id="organizations">{texts.people.yourOrganizations}</h2>
        {memberships.length === 0 ? (
          <p class="quiet">{texts.people.noOrganizationAbout}</p>
        ) : (
          <Memberships asked={asked} />
        )}
      </section>
    </div>
  )
}

function OwnFacts({ asked: { user, voice } }: { asked: OfUser }) {
  const { profile: texts, people } = voice.texts
  return (
    <section class="card stack" aria-labelledby="you">
      <h2 id="you">{texts.you}</h2>
      <Facts
        facts={[
          [people.name, <bdi key="name">{user.name}</bdi>],
          [texts.email, <bdi key="email">{user.email}</bdi>],
          [texts.language, voice.format.languageName(user.language)],
        ]}
      />
      <div class="row">
        <ButtonLink href={paths.ownName}>{texts.nameTitle}</ButtonLink>
        <ButtonLink href={paths.ownEmail}>{texts.email}</ButtonLink>
      </div>
    </section>
  )
}

function SigningIn({ codes, asked: { user, voice } }: { codes: number; asked: OfUser }) {
  const { profile: texts } = voice.texts
  return (
    <section class="card stack" aria-labelledby="signing-in">
      <h2 id="signing-in">{texts.signingIn}</h2>
      <Facts
        facts={[
          [
            texts.secondStep,
            user.has_second_factor ? (
              <>
                <Pill tone="good">{texts.isOn}</Pill> {texts.codesLeft(codes)}
              </>
            ) : (
              <Pill tone="off">{texts.isOff}</Pill>
            ),
          ],
        ]}
      />
      <div class="row">
        <ButtonLink href={paths.ownPassword}>{texts.changePassword}</ButtonLink>
        {user.has_second_factor ? (
          <>
            <ButtonLink href={paths.recoveryCodes}>{texts.renewCodes}</ButtonLink>
            <ButtonLink href={paths.secondFactorOff}>{texts.turnOff}</ButtonLink>
          </>
        ) : (
          <ButtonLink href={paths.secondFactor}>{texts.turnOn}</ButtonLink>
        )}
      </div>
    </section>
  )
}

export const endSession = ownButton({
  path: '/profile/sessions/{session}/end',
  act: (tx, asked) => sessions.endOne(tx, asked.user.id, asked.params.session ?? '', asked),
  next: { path: paths.profile, flash: flash('sessionEnded', {}) },
})

export const endOtherSessions = ownButton({
  path: '/profile/sessions/end-others',
  act: (tx, asked) => sessions.endOtherSessions(tx, asked.user.id, asked.sessionId, asked),
  next: { path: paths.profile, flash: flash('othersEnded', {}) },
})
