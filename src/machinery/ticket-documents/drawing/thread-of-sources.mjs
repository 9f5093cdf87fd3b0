// Starts the thread where the sources are run by a loader, which threads lack. The bundle has no need of it.
import { register } from 'tsx/esm/api'

register()
await import('./worker.ts')
