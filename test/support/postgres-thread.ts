import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'

/** The sessions of the threads, which nobody else ends. */
export const THREAD = 'turnout-tests'

/**
 * What the thread runs. It keeps a connection for each database: a session that has seen the tables looks at all of them in a tenth
 * of the time of a new one.
 */
const CODE = `
  const { workerData: requests } = require('node:worker_threads')
  const { Client } = require('pg')
  const clients = new Map()
  async function connect(connectionString) {
    const client = new Client({ connectionString, application_name: '${THREAD}', options: '-c client_min_messages=error' })
    const forget = () => clients.get(connectionString) === client && clients.delete(connectionString)
    client.on('error', forget)
    client.on('end', forget)
    await client.connect()
    clients.set(connectionString, client)
    return client
  }
  async function run({ url, statements }) {
    const client = clients.get(url) ?? (await connect(url))
    let rows = []
    for (const text of statements) ({ rows } = await client.query({ text, rowMode: 'array' }))
    return rows.map(([value]) => value)
  }
  const lost = /terminat|not queryable|ECONNRESET|closed/i
  requests.on('message', async ({ port, shared, ...request }) => {
    let answer
    try {
      answer = { values: await run(request).catch(error => {
        if (!lost.test(error.message)) throw error
        clients.delete(request.url)
        return run(request)
      }) }
    } catch (error) {
      answer = { error: error.message }
    }
    port.postMessage(answer)
    Atomics.store(shared, 0, 1)
    Atomics.notify(shared, 0)
  })`

/** The way to the thread. Tests look at what others send by the methods of a worker. */
let requests: MessagePort | undefined

/**
 * Runs statements, each in a transaction of its own, and waits for them without a turn of the event loop.
 *
 * @returns the first column of what the last one finds
 */
export function runAtOnce(url: string, statements: readonly string[]): string[] {
  requests ??= startThread()
  const shared = new Int32Array(new SharedArrayBuffer(4))
  const { port1, port2 } = new MessageChannel()
  requests.postMessage({ url, statements, shared, port: port2 }, [port2])
  Atomics.wait(shared, 0, 0)
  const { message } = receiveMessageOnPort(port1) as { message: { values?: string[]; error?: string } }
  port1.close()
  if (message.values === undefined) throw new Error(message.error)
  return message.values
}

function startThread(): MessagePort {
  const { port1, port2 } = new MessageChannel()
  new Worker(CODE, { eval: true, execArgv: [], workerData: port2, transferList: [port2] }).unref()
  port1.unref()
  return port1
}
