import { describe, expect, it } from 'vitest'
import { serveHttp, serveSocket } from '../../testing/local-server.ts'
import { BLOCKED, outboundError, setUpOutbound } from '../../testing/outbound.ts'
import { createOutbound } from './outbound.ts'

const { outboundTo, started } = setUpOutbound()

describe('a post', () => {
  it('sends its body and headers once, and gives whatever the answer is', async () => {
    const seen: { method: string | undefined; body: string; own: unknown; encoding: unknown }[] = []
    const server = await started(
      serveHttp(async (request, reply) => {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk as Buffer)
        const { method, headers } = request
        const body = Buffer.concat(chunks).toString('utf8')
        seen.push({ method, body, own: headers['x-own'], encoding: headers['accept-encoding'] })
        reply.statusCode = 503
        reply.end('büsy\0')
      }),
    )
    const { post } = outboundTo(`127.0.0.1:${server.port}`)
    const url = `http://127.0.0.1:${server.port}/`
    expect(await post({ url, headers: { 'x-own': 'a' }, body: 'é' })).toEqual({
      status: 503,
      beginning: 'büsy\ufffd',
    })
    expect(seen).toEqual([{ method: 'POST', body: 'é', own: 'a', encoding: 'identity' }])
  })

  it('follows no redirect, and reads no more than the beginning, nor what is packed', async () => {
    const server = await started(
      serveHttp((request, reply) => {
        const send = () => reply.writable && reply.write('x'.repeat(10_000), send)
        if (request.url === '/away') reply.writeHead(302, { location: '/' }).end()
        else if (request.url === '/packed') reply.writeHead(200, { 'content-encoding': 'gzip' }).end('x')
        else send()
      }),
    )
    const { post } = outboundTo(`127.0.0.1:${server.port}`)
    const at = (path: string) => post({ url: `http://127.0.0.1:${server.port}${path}`, body: '{}' })
    expect(await at('/away')).toEqual({ status: 302, beginning: '' })
    expect(await at('/packed')).toEqual({ status: 200, beginning: '' })
    expect(await at('/endless')).toEqual({ status: 200, beginning: 'x'.repeat(4_000) })
    expect(server.hits()).toBe(3)
  })

  it('reaches no private address, however it is written', async () => {
    const { post } = outboundTo()
    for (const url of [
      'http://127.1/',
      'http://[::ffff:a9fe:a9fe]/',
      'http://private.test/',
      'http://mixed.test/',
    ]) {
      await expect(post({ url, body: '{}' })).rejects.toEqual(BLOCKED)
    }
    await expect(post({ url: 'file:///etc/passwd', body: '{}' })).rejects.toEqual(
      outboundError('invalid_url'),
    )
  })

  it('ends in time where nothing is answered, and has its answer where a body hangs', async () => {
    const silent = await started(serveSocket(() => undefined))
    const hanging = await started(serveHttp((_request, reply) => void reply.write('begun')))
    const hosts = [silent, hanging].map(({ port }) => `127.0.0.1:${port}`)
    const { post, close } = createOutbound({ allowHosts: hosts, deadlineMs: 300 })
    const [first, second] = hosts.map((host) => post({ url: `http://${host}/`, body: '{}' }))
    await expect(first).rejects.toEqual(outboundError('timeout'))
    expect(await second).toEqual({ status: 200, beginning: 'begun' })
    await close()
  })
})
