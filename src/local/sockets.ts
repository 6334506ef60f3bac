// Unix sockets: the shorter way between programs of one machine.

/** Whether a path is short enough for one: sun_path holds 104 bytes on macOS and 108 on Linux, the ending zero included. */
export const fitsSocket = (path: string): boolean => Buffer.byteLength(path) < 104
