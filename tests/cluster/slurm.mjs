/** A Slurm of one node on this machine: munge, the controller and the daemon of the node. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Failure } from '../../tools/setup/failure.mjs';
import { freePort } from '../matrix/ports.mjs';

/** Calls `isDone` until it holds, at most so many seconds. */
export async function until(what, isDone, seconds = 120) {
  for (let left = seconds * 5; left > 0; left--) {
    if (await isDone()) return;
    await wait(200);
  }
  throw new Failure(`${what} did not happen within ${seconds} seconds.`);
}

async function configure(work) {
  const [controller, node] = [await freePort(), await freePort()];
  const name = hostname().split('.')[0];
  writeFileSync(
    path.join(work, 'slurm.conf'),
    `ClusterName=ropewalk
SlurmctldHost=${name}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort=${controller}
SlurmdPort=${node}
AuthType=auth/munge
AuthInfo=socket=${work}/munge.socket
CryptoType=crypto/munge
StateSaveLocation=${work}/state
SlurmdSpoolDir=${work}/spool
SlurmctldPidFile=${work}/slurmctld.pid
SlurmdPidFile=${work}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
SchedulerParameters=batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
KillWait=5
NodeName=${name} NodeAddr=127.0.0.1 CPUs=${availableParallelism()} State=UNKNOWN
PartitionName=all Nodes=${name} Default=YES MaxTime=60 State=UP
`,
  );
}

/**
 * Starts it in a folder that its root shares.
 * @param {string} work
 * @param {(command: string) => string[]} inside from setUpSlurm()
 */
export async function startSlurm(work, inside) {
  for (const folder of ['state', 'spool']) mkdirSync(path.join(work, folder));
  const key = path.join(work, 'munge.key');
  writeFileSync(key, randomBytes(128));
  chmodSync(key, 0o400);
  await configure(work);
  const env = { ...process.env, SLURM_CONF: path.join(work, 'slurm.conf'), LC_ALL: 'C.UTF-8' };
  const children = [];
  const log = (name) => path.join(work, `${name}.log`);
  const start = (name, ...args) => {
    const [command, ...rest] = [...inside(`/usr/sbin/${name}`), ...args];
    const output = openSync(log(name), 'a');
    const child = spawn(command, rest, { env, stdio: ['ignore', output, output] });
    children.push(child);
    return child;
  };
  const call = (name, ...args) => {
    const [command, ...rest] = [...inside(`/usr/bin/${name}`), ...args];
    const { status, stdout, stderr } = spawnSync(command, rest, {
      env,
      encoding: 'utf8',
      cwd: '/',
    });
    return { status, stdout, stderr };
  };
  const close = async () => {
    for (const child of children.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill();
      await once(child, 'exit');
    }
  };
  try {
    const socket = path.join(work, 'munge.socket');
    const files = ['pid', 'log', 'seed'].map(
      (name) => `--${name}-file=${path.join(work, `munged.${name}`)}`,
    );
    start('munged', '--foreground', '--force', `--key-file=${key}`, `--socket=${socket}`, ...files);
    start('slurmctld', '-D', '-f', env.SLURM_CONF);
    start('slurmd', '-D', '-f', env.SLURM_CONF);
    await until('an idle node of Slurm', () => /\bidle\b/.test(call('sinfo', '-h').stdout), 60);
  } catch (error) {
    await close();
    const logs = ['munged', 'slurmctld', 'slurmd'].map((name) => {
      const lines = readFileSync(log(name), 'utf8').trim().split('\n').slice(-5);
      return [`${name}:`, ...lines].join('\n  ');
    });
    throw new Failure(`${error.message}\n${logs.join('\n')}`);
  }
  return { call, close };
}
