import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { plainEnv, run, tryRun } from './machines.ts'

/** In milliseconds. */
const LONGEST_BOOT = 60_000

/** A root folder in which systemd runs as the first process, with a network of its own that has nothing but the loopback. */
export interface Booted {
  /** Runs a script of the shell in it. */
  sh(script: string): { status: number | null; stdout: string; stderr: string }
  /** Starts one, and does not wait for it. */
  start(script: string): Promise<{ status: number | null; output: string }>
}

/**
 * Its processes are in a cgroup of their own, which systemd takes for the top one. What they could set for the whole kernel is read only,
 * so that systemd leaves it alone, as in a container.
 */
const BOOT = `set -e
root=$1 cgroups=$2 name=$3
mount -t cgroup2 none "$cgroups"
mkdir "$cgroups/$name"
echo 0 >"$cgroups/$name/cgroup.procs"
umount "$cgroups"
exec unshare --cgroup --pid --fork --kill-child --uts --ipc --net sh -ec '
  root=$1
  hostname booted
  mount --bind "$root" "$root"
  mount -t proc proc "$root/proc"
  mount --bind "$root/proc/sys" "$root/proc/sys"
  mount -o remount,bind,ro "$root/proc/sys"
  mount -t sysfs -o ro sysfs "$root/sys"
  mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
  mount -t tmpfs -o mode=755 tmpfs "$root/run"
  mount -t tmpfs -o mode=755 tmpfs "$root/dev"
  mkdir "$root/dev/pts" "$root/dev/shm"
  for device in "null 1 3" "zero 1 5" "full 1 7" "random 1 8" "urandom 1 9" "tty 5 0"; do
    set -- $device
    mknod -m 666 "$root/dev/$1" c "$2" "$3"
  done
  mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts"
  ln -s pts/ptmx "$root/dev/ptmx"
  ln -s /proc/self/fd "$root/dev/fd"
  cd "$root"
  mkdir -p mnt/before
  pivot_root . mnt/before
  umount -l /mnt/before
  exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --unit=multi-user.target
' sh "$root"`

/** Says in a sentence what stands in the way, as the kernel or a program has said it. */
export class NotBooted extends Error {}

/** @throws NotBooted where the machine does not allow it */
export async function boot(t: Pick<TestContext, 'after'>, root: string): Promise<Booted> {
  // Nobody logs in, and the clock and the devices are those of the machine.
  for (const unit of ['getty.target', 'systemd-logind.service', 'systemd-timesyncd.service'])
    run('ln', ['-sf', '/dev/null', join(root, 'etc/systemd/system', unit)])
  writeFileSync(join(root, 'etc/machine-id'), '')
  const cgroups = `${root}-cgroups`
  mkdirSync(cgroups)
  const name = `turnout-test-${process.pid}`
  const child = spawn('unshare', ['--mount', 'sh', '-c', BOOT, 'sh', root, cgroups, name], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: plainEnv(),
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      output += text
    })
  const ended = once(child, 'close')
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
    // The processes are gone a moment later.
    const script = `mount -t cgroup2 none "$1"; for i in 1 2 3 4 5 6 7 8 9 10; do
      find "$1/$2" -depth -type d -exec rmdir {} + 2>/dev/null && break; sleep 0.1; done`
    spawnSync('unshare', ['--mount', 'sh', '-c', script, 'sh', cgroups, name])
  })
  const until = Date.now() + LONGEST_BOOT
  const enter = (pid: string) => [
    '--target',
    pid,
    '--mount',
    '--pid',
    '--uts',
    '--ipc',
    '--net',
    '--cgroup',
    '--root',
    '--wd',
    'sh',
    '-ec',
  ]
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new NotBooted(`systemd cannot be started here: ${output.trim().split('\n').at(-1)}`)
    const pid = childOf(child.pid as number)
    if (pid !== undefined) {
      const { stdout } = tryRun('nsenter', [...enter(pid), 'systemctl is-system-running || true'], {
        env: plainEnv(),
      })
      if (/^(running|degraded)$/m.test(stdout)) {
        return {
          sh: script => tryRun('nsenter', [...enter(pid), script], { env: plainEnv() }),
          async start(script) {
            const started = spawn('nsenter', [...enter(pid), `exec 2>&1; ${script}`], {
              stdio: ['ignore', 'pipe', 'inherit'],
              env: plainEnv(),
            })
            let text = ''
            started.stdout.setEncoding('utf8').on('data', more => {
              text += more
            })
            const [status] = await once(started, 'close')
            return { status, output: text }
          },
        }
      }
      if (Date.now() > until) throw new Error(`systemd is not up after a minute: ${stdout}${output}`)
    }
    await pause(100)
  }
}

function childOf(pid: number): string | undefined {
  const path = `/proc/${pid}/task/${pid}/children`
  return existsSync(path) ? /\d+/.exec(readFileSync(path, 'utf8'))?.[0] : undefined
}
