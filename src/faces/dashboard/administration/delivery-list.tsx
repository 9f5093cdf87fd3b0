import { Time } from '#machinery/web/components/parts.tsx'
import type { List } from '#machinery/web/lists/list.tsx'
import type { Delivery } from '#product/administration/webhooks/schemas.ts'
import { DeliveryState, describeAttempt, nameOfType } from './webhook-parts.tsx'

interface Row extends Delivery {
  path: string
}

/** Lists the deliveries to a webhook. */
export const deliveryList: List<Row> = {
  caption: texts => texts.webhooks.deliveriesCaption,
  columns: [
    {
      label: texts => texts.webhooks.event,
      place: 'name',
      cell: ({ path, type }, voice) => <a href={path}>{nameOfType(type, voice)}</a>,
    },
    {
      label: texts => texts.webhooks.state,
      place: 'amount',
      cell: ({ status }, { texts }) => <DeliveryState status={status} texts={texts} />,
    },
    {
      label: texts => texts.webhooks.answer,
      place: 'line',
      cell: ({ attempts, last_status_code: status_code, last_error: error }, voice) =>
        attempts === 0 && status_code === null && error === null
          ? ''
          : describeAttempt({ status_code, error }, voice),
    },
    {
      label: texts => texts.webhooks.attempts,
      place: 'wide',
      isNumber: true,
      cell: ({ attempts }, { format }) => format.number(attempts),
    },
    {
      label: texts => texts.webhooks.made,
      place: 'when',
      isNumber: true,
      cell: ({ created_at }, { format }) => <Time at={created_at} format={format} />,
    },
  ],
}
