import { readCursor, toNext } from '#faces/dashboard/frame/list-page.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { ButtonLink, Empty, Head, Time } from '#machinery/web/components/parts.tsx'
import { type List, Pages, Table } from '#machinery/web/lists/list.tsx'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import * as announcements from '#product/mailing/announcements/rules.ts'
import type { Announcement } from '#product/mailing/announcements/schemas.ts'
import { AnnouncementState, describeAudience, fillTitle } from './announcement-parts.tsx'
import { MessageSections, OF_MESSAGES } from './message-parts.tsx'

const PER_PAGE = 50

interface Row extends Announcement {
  href: string
  title: string
  names: readonly TypeDetails[]
}

const list: List<Row> = {
  caption: texts => texts.announcements.caption,
  columns: [
    {
      label: texts => texts.announcements.subject,
      place: 'name',
      cell: ({ href, title }) => (
        <a href={href}>
          <bdi>{title}</bdi>
        </a>
      ),
    },
    {
      label: texts => texts.announcements.to,
      place: 'line',
      cell: ({ names, ...of }, voice) => <bdi>{describeAudience(of, names, voice)}</bdi>,
    },
    {
      label: texts => texts.announcements.state,
      place: 'amount',
      cell: ({ status }, { texts }) => <AnnouncementState status={status} texts={texts} />,
    },
    {
      label: texts => texts.announcements.when,
      place: 'when',
      isNumber: true,
      cell: ({ sent_at, created_at }, { format }) => <Time at={sent_at ?? created_at} format={format} />,
    },
  ],
}

/** Lists the announcements of an event. */
export const announcementsPage = showPage('event', {
  ...OF_MESSAGES,
  path: '/e/{event}/messages/announcements',
  load: async (tx, request, { cursors }) => {
    const { account, event } = request
    const scope = `announcements ${account.id} ${event.id}`
    const page = { limit: PER_PAGE + 1, after: readCursor(cursors, scope, request) }
    const found = [...(await announcements.list(tx, event.id, page))]
    const names = await registrationTypes.listDetails(tx, event.id)
    const rows = found.slice(0, PER_PAGE).map(({ resource }): Row => {
      const title = fillTitle(resource.subject, request)
      return { ...resource, names, title, href: paths.announcement(event.id, resource.id) }
    })
    return { rows, next: toNext(cursors, scope, found, PER_PAGE) }
  },
  view: ({ rows, next }, request) => {
    const { event, voice } = request
    const { texts } = voice
    const path = paths.announcements(event.id)
    const after = request.query.get('after') ?? undefined
    const write = (
      <ButtonLink href={paths.newAnnouncement(event.id)} main>
        {texts.announcements.write}
      </ButtonLink>
    )
    const isEmpty = rows.length === 0 && after === undefined
    return {
      title: texts.announcements.title,
      body: (
        <>
          <Head
            title={texts.announcements.title}
            about={texts.announcements.about}
            actions={isEmpty ? undefined : write}
          />
          <MessageSections request={request} at="announcements" />
          {isEmpty ? (
            <Empty icon="mail" title={texts.announcements.none} action={write}>
              {texts.announcements.noneAbout}
            </Empty>
          ) : (
            <Table list={list} rows={rows} voice={voice} />
          )}
          <Pages path={path} query={{ after }} shown={rows.length} next={next} texts={texts} />
        </>
      ),
    }
  },
})
