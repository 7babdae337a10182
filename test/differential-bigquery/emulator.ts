/** The emulator of BigQuery, and a token endpoint: as much of Google Cloud as a source needs. */
import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { emulatorEnvironment, emulatorFile } from '../../tools/bigquery-emulator/program.ts'

export interface Emulator {
  /** What an engine is started with. */
  readonly environment: Readonly<Record<string, string>>
  /** Starts it anew, empty but for the dataset: it keeps memory of every job. */
  restart(): Promise<void>
  run(sql: string): Promise<void>
  stop(): Promise<void>
}

const dataset = 'shop'

export async function startEmulator(): Promise<Emulator> {
  const [port, grpc] = [await freePort(), await freePort()]
  const origin = `http://127.0.0.1:${port}`
  const tokens = createServer((_, response) => response.end('{"access_token":"t","expires_in":3600}')).listen(0)
  await once(tokens, 'listening')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const account = {
    client_email: 'test@test',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    project_id: 'test',
  }
  let child = await start()
  return {
    environment: {
      SVC_GRAPHQL_BIGQUERY_API_ENDPOINT: origin,
      SVC_GRAPHQL_BIGQUERY_TOKEN_ENDPOINT: `http://127.0.0.1:${(tokens.address() as AddressInfo).port}/token`,
      BIGQUERY_KEY: JSON.stringify(account),
    },
    async restart() {
      await end()
      child = await start()
    },
    async run(sql) {
      const response = await fetch(`${origin}/bigquery/v2/projects/test/queries`, {
        method: 'POST',
        body: JSON.stringify({ query: sql, useLegacySql: false }),
      })
      if (response.status !== 200) throw new Error(await response.text())
      await response.text()
    },
    async stop() {
      tokens.close()
      await end()
    },
  }

  async function start() {
    const options = ['--project=test', `--dataset=${dataset}`, `--port=${port}`, `--grpc-port=${grpc}`]
    const started = spawn(emulatorFile, options, {
      env: { ...process.env, ...emulatorEnvironment },
      stdio: 'ignore',
    })
    const ended = once(started, 'close')
    while (!(await answers(`${origin}/bigquery/v2/projects/test/datasets`)))
      if (started.exitCode !== null) throw new Error('the emulator of BigQuery ended')
    return { started, ended }
  }

  async function end() {
    child.started.kill('SIGKILL')
    await child.ended
  }
}

/** Waits for a moment where nothing listens yet. */
async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 50))
    return false
  }
}

async function freePort(): Promise<number> {
  const server = createSocketServer().listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
