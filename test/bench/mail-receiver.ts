import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** This process takes mails, and answers its parent with their number. */
let received = 0
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  disableReverseLookup: true,
  onData: (stream, _, done) => {
    stream.resume().on('end', () => {
      received++
      done(null, 'Taken')
    })
  },
})
server.on('error', () => undefined)
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.server.address() as AddressInfo).port }))
process.on('message', () => process.send?.({ received }))
process.on('disconnect', () => process.exit())
