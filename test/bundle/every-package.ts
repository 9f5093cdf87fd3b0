/** Prints the names that each package exports which the sources import only when they need it. */
async function printNames(): Promise<void> {
  const packages = {
    '@fastify/busboy': await import('@fastify/busboy'),
    'koa-body': await import('koa-body'),
    nodemailer: await import('nodemailer'),
    pg: await import('pg'),
    stripe: await import('stripe'),
    undici: await import('undici'),
  }
  const names = Object.entries(packages).map(([name, exported]) => [
    name,
    Object.entries(exported).map(([key, value]) => `${key}: ${typeof value}`),
  ])
  process.stdout.write(JSON.stringify(Object.fromEntries(names)))
}

void printNames()
