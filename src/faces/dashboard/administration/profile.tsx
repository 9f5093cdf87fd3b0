import { Memberships } from '#faces/dashboard/catalog/home.tsx'
import { browserName } from '#faces/dashboard/frame/browser-name.ts'
import { ownButton } from '#faces/dashboard/frame/own-button.ts'
import type { UserRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import type { InstanceReadTx } from '#machinery/db/port.ts'
import { ButtonLink, Facts, Head, Pill, PostButton, Time } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { Format } from '#machinery/web/format.ts'
import { type List, Table } from '#machinery/web/lists/list.tsx'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as users from '#product/administration/users/rules.ts'
import type { Session } from '#product/administration/users/schemas.ts'
import * as sessions from '#product/administration/users/sessions.ts'

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

/** Shows the profile of the signed-in user, which belongs to no organization. */
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
  view: (loaded, request) => ({
    title: request.voice.texts.profile.title,
    body: <ProfileBody loaded={loaded} request={request} />,
  }),
})

/** Returns the time zone of a user's first organization, which is the one that the user knows. */
async function findTimezone(tx: InstanceReadTx, accountId: string | undefined): Promise<string> {
  return accountId === undefined ? accounts.DEFAULT_TIMEZONE : (await accounts.get(tx.of(accountId))).timezone
}

function ProfileBody({ loaded, request }: { loaded: Profile; request: UserRequest }) {
  const { memberships, voice } = request
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
        <OwnFacts request={request} />
        <SigningIn codes={loaded.codes} request={request} />
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
          <Memberships request={request} />
        )}
      </section>
    </div>
  )
}

function OwnFacts({ request: { user, voice } }: { request: UserRequest }) {
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

function SigningIn({ codes, request: { user, voice } }: { codes: number; request: UserRequest }) {
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
            <ButtonLink href={paths.secondFactorOff} isDestructive>
              {texts.turnOff}
            </ButtonLink>
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
  act: (tx, request) => sessions.endOne(tx, request.user.id, request.params.session ?? '', request),
  next: { path: paths.profile, flash: flash('sessionEnded', {}) },
})

export const endOtherSessions = ownButton({
  path: '/profile/sessions/end-others',
  act: (tx, request) => sessions.endOtherSessions(tx, request.user.id, request.sessionId, request),
  next: { path: paths.profile, flash: flash('othersEnded', {}) },
})
