import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { Refusal } from '#base/refusal.ts'
import { makeDkimKey, readSelector, recordName, recordText, zoneLine } from '#machinery/mail/dkim.ts'
import { readSigner } from '#machinery/mail/dkim-file.ts'
import { flag, jsonFlag, required } from './flags.ts'
import { printJson, type Terminal } from './terminal.ts'

interface DkimCommandFlags {
  mailFrom: string
  dkimKey: string
  dkimSelector: string
  json?: boolean
}

const HELP = `The key is made once: where the file is there already, its record is printed. Nobody but you may read the file. The server
signs with "turnout serve --dkim-key <file> --dkim-selector <name>", and its System page says whether the record is there.`

const EXAMPLE = 'turnout mail dkim --mail-from tickets@example.org --dkim-key /etc/turnout/dkim.pem'

/** Adds the command that makes the key by which mails are signed, and prints its DNS record (RFC 6376). */
export function addDkim(mail: Command, terminal: Terminal): void {
  mail
    .command('dkim')
    .description('make the key that signs mails, and print the DNS record by which recipients check it')
    .addOption(required('--mail-from <address>', 'whom mail comes from, as of "turnout serve"'))
    .addOption(required('--dkim-key <file>', 'where the key is, or is made'))
    .addOption(
      flag('--dkim-selector <name>', 'what tells it from other keys of the domain').default('turnout'),
    )
    .addOption(jsonFlag())
    .addHelpText('after', `\n${HELP}\n\nExample:\n  $ ${EXAMPLE}`)
    .action(async (flags: DkimCommandFlags) => {
      const { mailFrom, dkimKey: file, json } = flags
      // What is wrong with the other flags is said before there is a file.
      readSigner(mailFrom, {})
      readSelector(flags.dkimSelector)
      const isMade = await makeFile(file)
      const { dkim: key } = readSigner(mailFrom, flags)
      if (key === undefined) throw new Error('a key was named')
      const { domain, selector } = key
      const [name, text] = [recordName(key), recordText(key)]
      if (json) return printJson(terminal, { key_file: file, made: isMade, domain, selector, name, text })
      terminal.out(isMade ? `Made ${file}: keep it secret.\n` : `${file} is there already.\n`)
      terminal.out(
        `Add this record to the DNS of ${domain}, as a line of its zone file:\n\n${zoneLine(key)}\n\n`,
      )
      terminal.out(
        `Where they are asked for apart, it is a TXT record of the name ${name} with the text:\n\n${text}\n\n`,
      )
      terminal.out(`Then start the server with --dkim-key ${file} --dkim-selector ${selector}.\n`)
    })
}

/** Writes a new key, unless the file is there. Returns whether it made one. @throws Refusal */
async function makeFile(file: string): Promise<boolean> {
  if (existsSync(file)) return false
  try {
    await writeFile(file, await makeDkimKey(), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    throw new Refusal(`--dkim-key ${file} cannot be written (${code}): name a file in a folder of yours.`)
  }
}
