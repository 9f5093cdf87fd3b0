import type { ReadTx } from '../../db/port.ts'
import * as links from '../../users/links.ts'
import * as users from '../../users/rules.ts'
import type { Invitation, Member } from '../../users/schemas.ts'
import { ButtonLink, Head, PostButton, Time } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { type List, Table } from '../../web/lists/list.tsx'
import type { Voice } from '../../web/voice.ts'
import type { OfAccount } from '../asked.ts'
import { button } from '../button.ts'
import { type EventTitles, findTitles } from '../event-titles.ts'
import { paths } from '../paths.ts'
import { showPage } from '../show.tsx'

/** Titles that one row names; more are counted. */
const NAMED = 3

interface Team {
  members: readonly Member[]
  invitations: readonly Invitation[]
  titles: EventTitles
}

/** Who is in an account, and who is invited to it. */
export const team = showPage('account', {
  path: '/a/{account}/team',
  permission: 'people',
  navigation: { icon: 'guests', text: texts => texts.navigation.team },
  load: async (tx, { account }, { clock }): Promise<Team> => {
    const members = await users.list(tx, account.id)
    const invitations = await links.listInvitations(tx, account.id, clock())
    return { members, invitations, titles: await titlesOf(tx, account.id, [...members, ...invitations]) }
  },
  view: (loaded, asked) => ({
    title: asked.voice.texts.team.title,
    body: <TeamBody {...loaded} asked={asked} />,
  }),
})

function titlesOf(
  tx: ReadTx,
  accountId: string,
  parts: readonly { event_ids: string[] | null }[],
): Promise<EventTitles> {
  return findTitles(
    tx,
    accountId,
    parts.flatMap(({ event_ids }) => (event_ids ?? []).slice(0, NAMED)),
  )
}

function TeamBody({ members, invitations, titles, asked }: Team & { asked: OfAccount }) {
  const { account, voice } = asked
  const { team: texts } = voice.texts
  return (
    <div class="stack">
      <Head
        title={texts.title}
        actions={
          <ButtonLink href={paths.invite(account.id)} main>
            {texts.invite}
          </ButtonLink>
        }
      />
      <Table list={membersOf(account.id, titles)} rows={members} voice={voice} />
      {invitations.length > 0 && (
        <Table list={invitationsOf(account.id, titles)} rows={invitations} voice={voice} hasHeading />
      )}
    </div>
  )
}

function membersOf(accountId: string, titles: EventTitles): List<Member> {
  return {
    caption: texts => texts.team.caption,
    columns: [
      {
        label: texts => texts.team.name,
        place: 'name',
        cell: ({ id, user }) => (
          <>
            <a href={paths.member(accountId, id)}>
              <bdi>{user.name}</bdi>
            </a>
            <br />
            <bdi class="small quiet">{user.email}</bdi>
          </>
        ),
      },
      roleColumn,
      eventsColumn(titles),
      {
        label: texts => texts.team.since,
        place: 'wide',
        isNumber: true,
        cell: ({ created_at }, { format }) => <time datetime={created_at}>{format.date(created_at)}</time>,
      },
    ],
  }
}

function invitationsOf(accountId: string, titles: EventTitles): List<Invitation> {
  return {
    caption: texts => texts.team.invitations,
    columns: [
      { label: texts => texts.team.email, place: 'name', cell: ({ email }) => <bdi>{email}</bdi> },
      roleColumn,
      eventsColumn(titles),
      {
        label: texts => texts.team.expires,
        place: 'wide',
        isNumber: true,
        cell: ({ expires_at }, { format }) => <Time at={expires_at} format={format} />,
      },
      {
        label: texts => texts.team.revoke,
        place: 'when',
        isNumber: true,
        cell: ({ id, email }, { texts }) => (
          <PostButton action={paths.revokeInvitation(accountId, id)} label={texts.team.revokeOf(email)}>
            {texts.team.revoke}
          </PostButton>
        ),
      },
    ],
  }
}

const roleColumn: List<Pick<Member, 'role'>>['columns'][number] = {
  label: texts => texts.team.role,
  place: 'amount',
  cell: ({ role }, { texts }) => texts.people.roles[role],
}

function eventsColumn(titles: EventTitles): List<Pick<Member, 'event_ids'>>['columns'][number] {
  return {
    label: texts => texts.team.events,
    place: 'line',
    cell: ({ event_ids }, voice) => <EventsOf ids={event_ids} titles={titles} voice={voice} />,
  }
}

function EventsOf({
  ids,
  titles,
  voice: { texts },
}: {
  ids: readonly string[] | null
  titles: EventTitles
  voice: Voice
}) {
  if (ids === null) return <>{texts.team.allEvents}</>
  if (ids.length === 0) return <>{texts.team.noEvents}</>
  return (
    <>
      {ids.slice(0, NAMED).map((id, at) => (
        <>
          {at > 0 && ', '}
          <bdi>{titles.get(id)}</bdi>
        </>
      ))}
      {ids.length > NAMED && ` ${texts.team.moreEvents(ids.length - NAMED)}`}
    </>
  )
}

/** Done at once, as another invitation is made as fast. */
export const revokeInvitation = button('account', {
  path: '/a/{account}/team/invitations/{invitation}/revoke',
  permission: 'people',
  act: (tx, { account, params }) => links.revokeInvitation(tx, account.id, params.invitation ?? ''),
  entry: ({ params }) => ({
    action: 'invitation.revoke',
    targetType: 'invitation',
    targetId: params.invitation,
  }),
  next: ({ email }, { account }) => ({
    path: paths.team(account.id),
    flash: flash('invitationRevoked', { email }),
  }),
  back: ({ account }) => paths.team(account.id),
})
