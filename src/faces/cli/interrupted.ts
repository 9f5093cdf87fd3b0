import { discardStagedFiles } from '#machinery/files/staged-file.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Makes an interrupted command remove the file that it was making. The signal then ends the command as it ends any other.
 *
 * @returns a function that ends this
 */
export function leaveNothingBehind(): () => void {
  const stop = (signal: NodeJS.Signals) => {
    discardStagedFiles()
    forget()
    process.kill(process.pid, signal)
  }
  const forget = () => {
    for (const signal of signals) process.off(signal, stop)
  }
  for (const signal of signals) process.on(signal, stop)
  return forget
}
