import type { Voice } from '#machinery/web/voice.ts'
import type { OrderView } from '../order-view.ts'
import type { Speech } from '../voice.ts'

/** Each page of an order gets these props. */
export type OrderProps = OrderView & { speech: Speech; voice: Voice }
