import { type EventTitles, findTitles } from '#faces/dashboard/catalog/event-titles.ts'
import { button } from '#faces/dashboard/frame/button.ts'
import type { AccountRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import type { ReadTx } from '#machinery/db/port.ts'
import { ButtonLink, Head, PostButton, Time } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { type List, Table } from '#machinery/web/lists/list.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import * as links from '#product/administration/users/links.ts'
import * as users from '#product/administration/users/rules.ts'
import type { Invitation, Member } from '#product/administration/users/schemas.ts'

/** One row names this many titles, and counts the rest. */
const NAMED = 3

interface Team {
  members: readonly Member[]
  invitations: readonly Invitation[]
  titles: EventTitles
}

/** Lists the members of an account, and who is invited to it. */
export const team = showPage('account', {
  path: '/a/{account}/team',
  permission: 'people',
  navigation: { icon: 'guests', text: texts => texts.navigation.team },
  load: async (tx, _, { clock }): Promise<Team> => {
    const members = await users.list(tx)
    const invitations = await links.listInvitations(tx, clock())
    return { members, invitations, titles: await titlesOf(tx, [...members, ...invitations]) }
  },
  view: (loaded, request) => ({
    title: request.voice.texts.team.title,
    body: <TeamBody {...loaded} request={request} />,
  }),
})

function titlesOf(tx: ReadTx, parts: readonly { event_ids: string[] | null }[]): Promise<EventTitles> {
  return findTitles(
    tx,
    parts.flatMap(({ event_ids }) => (event_ids ?? []).slice(0, NAMED)),
  )
}

function TeamBody({ members, invitations, titles, request }: Team & { request: AccountRequest }) {
  const { account, voice } = request
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

/** The button asks nothing, because another invitation takes no longer. */
export const revokeInvitation = button('account', {
  path: '/a/{account}/team/invitations/{invitation}/revoke',
  permission: 'people',
  act: (tx, { params }) => links.revokeInvitation(tx, params.invitation ?? ''),
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
