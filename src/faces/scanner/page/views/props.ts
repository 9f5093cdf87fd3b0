import type { Door } from '../door.ts'
import type { State } from '../state.ts'

export interface ViewProps {
  door: Door
  state: State
}
