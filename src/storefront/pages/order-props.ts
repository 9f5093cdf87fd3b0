import type { Voice } from '../../web/voice.ts'
import type { SeenOrder } from '../seen-order.ts'
import type { Speech } from '../voice.ts'

/** What each page of an order is made of. */
export type OrderProps = SeenOrder & { speech: Speech; voice: Voice }
