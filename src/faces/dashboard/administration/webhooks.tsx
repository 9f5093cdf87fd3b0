import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { ButtonLink, Empty, Head, Time } from '#machinery/web/components/parts.tsx'
import { type List, Table } from '#machinery/web/lists/list.tsx'
import * as webhooks from '#product/administration/webhooks/rules.ts'
import type { EndpointDetails } from '#product/administration/webhooks/schemas.ts'
import { EndpointState, OF_WEBHOOKS } from './webhook-parts.tsx'

interface Row extends EndpointDetails {
  path: string
}

const list: List<Row> = {
  caption: texts => texts.webhooks.caption,
  columns: [
    {
      label: texts => texts.webhooks.address,
      place: 'name',
      cell: ({ path, url }) => (
        <a href={path}>
          <bdi>{url}</bdi>
        </a>
      ),
    },
    {
      label: texts => texts.webhooks.state,
      place: 'line',
      cell: (endpoint, voice) => <EndpointState endpoint={endpoint} voice={voice} />,
    },
    {
      label: texts => texts.webhooks.types,
      place: 'wide',
      cell: ({ types }, { texts }) => texts.webhooks.typesChosen(types.length),
    },
    {
      label: texts => texts.webhooks.lastSent,
      place: 'when',
      isNumber: true,
      cell: ({ last_delivery: last }, { texts, format }) =>
        last === null ? texts.page.never : <Time at={last.created_at} format={format} />,
    },
  ],
}

export const webhooksPage = showPage('account', {
  ...OF_WEBHOOKS,
  path: '/a/{account}/webhooks',
  navigation: { icon: 'webhook', text: texts => texts.navigation.webhooks },
  load: (tx, _, { clock }) => webhooks.listEndpointDetails(tx, clock()),
  view: (endpoints, { account, voice }) => {
    const { webhooks: texts } = voice.texts
    const add = (
      <ButtonLink href={paths.newWebhook(account.id)} main>
        {texts.add}
      </ButtonLink>
    )
    const rows = endpoints.map(each => ({ ...each, path: paths.webhook(account.id, each.id) }))
    return {
      title: texts.title,
      body:
        rows.length === 0 ? (
          <>
            <Head title={texts.title} />
            <Empty icon="webhook" title={texts.none} action={add}>
              {texts.noneAbout}
            </Empty>
          </>
        ) : (
          <>
            <Head title={texts.title} about={texts.about} actions={add} />
            <Table list={list} rows={rows} voice={voice} />
          </>
        ),
    }
  },
})
