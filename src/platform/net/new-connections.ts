// Stops new connections at a listening socket before it closes, so that closing it resets no connection.
import { FFIType, dlopen, ptr } from 'bun:ffi'
import { readdirSync } from 'node:fs'

/** From Linux's <asm-generic/socket.h>. */
const SOL_SOCKET = 1
const SO_ATTACH_FILTER = 26
const SO_ACCEPTCONN = 30

/**
 * A classic BPF program, as (code, jump if true, jump if false, constant). It starts at the TCP header: drops packets that
 * have SYN and not ACK among their flags, and passes all others.
 */
const DROP_SYN: readonly (readonly [number, number, number, number])[] = [
  [0x30, 0, 0, 13], // load the byte with the flags
  [0x54, 0, 0, 0x12], // keep SYN and ACK
  [0x15, 0, 1, 0x02], // is it SYN alone?
  [0x06, 0, 0, 0], // drop
  [0x06, 0, 0, 0xffff_ffff], // pass
]

/**
 * Makes the kernel ignore attempts to connect to `port` at this process; what is connected or queued goes on. A client
 * repeats an ignored attempt after a second, and reaches another process that shares the port, or is refused.
 *
 * Closing a listening socket resets the connections in its queue. Processes that share a port get new ones until the moment
 * of closing, so only the kernel can stop them first. `net.ipv4.tcp_migrate_req` does not help connections that
 * were accepted just before the close. Throws where the kernel is not Linux.
 */
export function ignoreNewConnections(port: number): void {
  if (process.platform !== 'linux') throw new Error('Only Linux can ignore new connections.')
  const libc = dlopen('libc.so.6', {
    getsockopt: { args: [FFIType.i32, FFIType.i32, FFIType.i32, FFIType.ptr, FFIType.ptr], returns: FFIType.i32 },
    setsockopt: { args: [FFIType.i32, FFIType.i32, FFIType.i32, FFIType.ptr, FFIType.u32], returns: FFIType.i32 },
    getsockname: { args: [FFIType.i32, FFIType.ptr, FFIType.ptr], returns: FFIType.i32 },
  })
  const { getsockopt, setsockopt, getsockname } = libc.symbols
  const isListening = (fd: number) => {
    const flag = new Int32Array(1)
    return getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, ptr(flag), ptr(new Uint32Array([4]))) === 0 && flag[0] === 1
  }
  const portOf = (fd: number) => {
    const address = new DataView(new ArrayBuffer(128))
    return getsockname(fd, ptr(address), ptr(new Uint32Array([128]))) === 0 ? address.getUint16(2) : undefined
  }
  const instructions = new DataView(new ArrayBuffer(DROP_SYN.length * 8))
  DROP_SYN.forEach(([code, whenTrue, whenFalse, constant], place) => {
    instructions.setUint16(place * 8, code, true)
    instructions.setUint8(place * 8 + 2, whenTrue)
    instructions.setUint8(place * 8 + 3, whenFalse)
    instructions.setUint32(place * 8 + 4, constant, true)
  })
  // struct sock_fprog: a 16-bit length, padding, a pointer.
  const program = new BigUint64Array([BigInt(DROP_SYN.length), BigInt(ptr(instructions))])
  const sockets = readdirSync('/proc/self/fd')
    .map(Number)
    .filter((fd) => isListening(fd) && portOf(fd) === port)
  if (sockets.length === 0) throw new Error(`No socket of this process listens on port ${port}.`)
  for (const fd of sockets)
    if (setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, ptr(program), 16) !== 0)
      throw new Error(`The kernel refused the filter for port ${port}.`)
}
