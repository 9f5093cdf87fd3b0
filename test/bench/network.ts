import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

// A network between the server and its PostgreSQL, in a process of its own: `network.cjs PORT DELAY` carries all that comes to the
// port that it sends its parent to PORT, DELAY milliseconds late, and the answers at once.

const [target, delay] = process.argv.slice(2).map(Number) as [number, number]

createServer({ noDelay: true }, client => {
  const server = connect({ port: target, host: '127.0.0.1', noDelay: true })
  carry(client, server, delay)
  carry(server, client, 0)
})
  .listen(0, '127.0.0.1')
  .on('listening', function (this: { address(): AddressInfo | string | null }) {
    process.send?.({ port: (this.address() as AddressInfo).port })
  })
process.on('disconnect', () => process.exit())

function carry(from: Socket, to: Socket, late: number): void {
  from.on('data', chunk => (late === 0 ? to.write(chunk) : setTimeout(() => to.write(chunk), late)))
  from.on('close', () => to.destroy())
  from.on('error', () => to.destroy())
}
