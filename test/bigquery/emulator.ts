/** The emulator of BigQuery as a process of its own: Google's analyzer judges each statement. */
import { spawn } from 'node:child_process'
import { type AddressInfo, createServer } from 'node:net'
import { emulatorEnvironment, emulatorFile, isEmulatorBuilt } from '../../tools/bigquery-emulator/program.ts'
import { unless } from '../requirement.ts'

/** For the `skip` option of a test that needs it. */
export const skipWithoutEmulator = unless(
  'bigquery',
  isEmulatorBuilt(),
  'the emulator of BigQuery is not built (npm run bigquery-emulator)',
)

export interface Emulator {
  readonly url: string
  readonly project: string
  /** Makes a dataset, new and empty. */
  createDataset(name: string): Promise<void>
  /** Runs a statement; its rows as lists of values. */
  // biome-ignore lint/suspicious/noExplicitAny: values of every type
  query(sql: string): Promise<any[][]>
  /** Starts it anew at the same place, without any dataset. */
  restart(): Promise<void>
}

type WithAfter = { after(cleanUp: () => Promise<void>): void }

/** Each suite has its own: it keeps memory of every job. */
export async function startEmulator(t: WithAfter): Promise<Emulator> {
  const project = 'test'
  const [port, grpcPort] = [await freePort(), await freePort()]
  const start = () => {
    const child = spawn(emulatorFile, [`--project=${project}`, `--port=${port}`, `--grpc-port=${grpcPort}`], {
      env: { ...process.env, ...emulatorEnvironment },
      stdio: 'ignore',
    })
    return { child, ended: new Promise<void>((resolve) => child.once('close', () => resolve())) }
  }
  let running = start()
  const kill = () => running.child.kill('SIGKILL')
  process.once('exit', kill)
  t.after(async () => {
    process.removeListener('exit', kill)
    kill()
    await running.ended
  })
  const url = `http://127.0.0.1:${port}`
  const base = `${url}/bigquery/v2/projects/${project}`
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(base + path, { method, ...(body && { body: JSON.stringify(body) }) })
    return JSON.parse(await answer.text())
  }
  const ready = async () => {
    while (running.child.exitCode === null) {
      const isReady = await call('GET', '/datasets').catch(() => null)
      if (isReady) break
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  await ready()
  let jobs = 0
  return {
    url,
    project,
    async createDataset(name) {
      await call('POST', '/datasets', { datasetReference: { projectId: project, datasetId: name } })
    },
    async query(query) {
      const jobId = `test_${++jobs}`
      const reference = { projectId: project, jobId }
      await call('POST', '/jobs', {
        jobReference: reference,
        configuration: { jobType: 'QUERY', query: { query, useLegacySql: false } },
      })
      const { rows = [], error } = await call('GET', `/queries/${jobId}`)
      if (error) throw new Error(error.message)
      return rows.map(({ f }: { f: { v: unknown }[] }) => f.map(({ v }) => v))
    },
    async restart() {
      kill()
      await running.ended
      running = start()
      await ready()
    },
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
