/** These texts say what an examination of the instance has found, on the page of operators and by "turnout doctor". */
export const doctor = {
  title: 'Health check',
  about:
    'Looks at the clock, the disk, the rights of files, backups, the address that people use, mail and payments, and says what to do.',
  run: 'Run the health check',
  running: (since: string) => `It runs since ${since}, and takes some seconds.`,
  last: (at: string) => `Last run: ${at}.`,
  failed: (at: string) => `It could not be finished at ${at}.`,
  levels: { ok: 'OK', info: 'Note', warning: 'Warning', error: 'Broken' },
  allWell: 'Nothing is broken.',
  versions: (version: string, node: string, engine: string) =>
    `Turnout ${version}, Node.js ${node}, ${engine}.`,
  clockRight: (now: string) => `The clock says ${now}, and nothing is dated after it.`,
  clockUnsynchronized:
    'Nothing keeps the clock of this machine right: turn on “timedatectl set-ntp true”, or set it by hand before an event.',
  dataInMemory: (folder: string) =>
    `${folder} is in memory, and everything is lost when the machine restarts. Move it to a disk.`,
  dataOnNetwork: (folder: string) =>
    `${folder} is on a network drive, where SQLite cannot keep its promises. Move it to a disk of this machine, or use PostgreSQL.`,
  dataInContainer: (folder: string) =>
    `${folder} is in the container itself, and is lost with it. Put a volume there.`,
  diskFree: (free: string, total: string) => `${free} of ${total} are free on the disk.`,
  diskNearlyFull: (free: string, total: string) =>
    `Only ${free} of ${total} are free on the disk. When it is full, nothing can be written: make room.`,
  diskSync: (milliseconds: string) => `The disk keeps a write in ${milliseconds} ms.`,
  diskSlow: (milliseconds: string) =>
    `The disk needs ${milliseconds} ms to keep a write, and each check-in waits for one. Use a faster disk: a USB stick with flash or an SSD instead of a memory card.`,
  rightsRight: (folder: string) => `${folder} and all in it belong to one user, and nobody else reads them.`,
  rightsMixed: (path: string, folder: string) =>
    `${path} belongs to another user than its folder, so the server may fail to write: “chown -R” with the owner of ${folder} mends that.`,
  rightsMissing: (path: string) =>
    `This user may not read and write ${path}. Run this as the user of the server, or mend its rights.`,
  rightsOpen: (path: string) => `Others on this machine may read ${path}: “chmod 600” it.`,
  backupsByOthers: 'PostgreSQL has the data: see that its own tools back it up.',
  backupsOff:
    'The server makes no backups. Start it with --backup-dir, or see that something else runs “turnout backup” each night.',
  backupMissing: (folder: string) =>
    `${folder} has no backup of this database yet. Make the first on the System page, or by “turnout backup”.`,
  backupLate: (newest: string) =>
    `The newest backup is of ${newest}, and one was due since: look at the log of the server, and whether its disk is full.`,
  backupMade: (newest: string, size: string) => `The newest backup is of ${newest} and has ${size}.`,
  backupsBeside: (folder: string) =>
    `${folder} is on the same disk as the data, so one failure takes both. Copy the backups to another machine.`,
  certificateValid: (ends: string) => `The certificate is good until ${ends}.`,
  certificateNear: (ends: string) =>
    `The certificate ends on ${ends}, and was not renewed. Look at whatever renews it, such as certbot.`,
  certificateEnded: (ends: string) =>
    `The certificate ended on ${ends}, and browsers refuse the pages. Renew it.`,
  certificateUntrusted: (host: string, reason: string) =>
    `Browsers do not trust the certificate of ${host} (${reason}). Give the server the whole chain, for that name.`,
  baseUrlMissing:
    'No --base-url is set, so links in mails lead to where others cannot go. Set it to the address that people use.',
  baseUrlLocal: 'Only this machine reaches the server. Set --base-url once others should.',
  baseUrlUnknown: (host: string) =>
    `No name server knows ${host}. Add a record for it, or correct --base-url.`,
  baseUrlPrivate: (host: string) =>
    `${host} leads to a private address as seen from here: only this network reaches it, unless others resolve it otherwise.`,
  baseUrlPlain:
    '--base-url begins with http:, so passwords and tickets travel unencrypted. Put TLS in front.',
  baseUrlUnreachable: (url: string, reason: string) =>
    `Nothing answers at ${url} as seen from here (${reason}). Look at the proxy, the firewall and the port.`,
  baseUrlOther: (url: string, status: number) =>
    `Somebody else answers at ${url} (status ${status}). Look where the proxy and the name lead.`,
  baseUrlReached: (at: string) => `Others get through: somebody came from the internet at ${at}.`,
  baseUrlUnproven: (url: string) =>
    `No machine can say by itself whether others get through, and the access log has nobody from the internet. Open ${url} on a phone without Wi-Fi.`,
  baseUrlAnswers: (url: string) => `The server answers at ${url}.`,
  serverUnhealthy: (url: string) =>
    `The server at ${url} says that it cannot write its database. Look at its log, and at the disk.`,
  serverOff: (url: string) => `No server runs on this data now, so nobody was asked at ${url}.`,
  mailOff: 'No server for mail is set up: all mails wait. Start the server with --smtp-url and --mail-from.',
  smtpReady: (host: string, port: number) => `${host}, port ${port}, would take mails.`,
  smtpTrouble: (host: string, port: number, remedy: string, answer: string) =>
    `${host}, port ${port}, takes no mails. ${remedy} What was said: ${answer}`,
  stripeLive: (organization: string) => `Stripe takes payments for ${organization}.`,
  stripeTest: (organization: string) =>
    `Stripe is in test mode for ${organization}: no money moves. Before the sale, connect it by a live key.`,
  stripeTestRefused: (organization: string) =>
    `${organization} has a test key of Stripe, which this server does not accept. Connect it by a live key.`,
  stripeDenied: (organization: string) =>
    `Stripe refuses the key of ${organization}: nobody can pay by card. Connect it again.`,
  stripeNoKey: (organization: string) =>
    `The key of Stripe for ${organization} is missing, as the database was copied without secrets. Connect it again.`,
  stripeEventsMissed: (organization: string) =>
    `Something may have happened at Stripe that ${organization} has not heard of. Compare the payments there with those here.`,
  stripeSilent: (organization: string, since: string) =>
    `Nothing was heard from Stripe for ${organization} since ${since}. Look whether this machine reaches Stripe.`,
}
