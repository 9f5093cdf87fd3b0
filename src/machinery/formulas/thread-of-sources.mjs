// This file starts the thread when a loader runs the sources, because threads lack the loader. The bundle does not need it.
import { register } from 'tsx/esm/api'

register()
await import('./worker.ts')
