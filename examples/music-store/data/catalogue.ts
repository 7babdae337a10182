import { distinct, type Random, unused } from './random.ts'
import { adjectives, cities, firstNames, genres, lastNames, mediaTypes, nouns, places, playlists } from './words.ts'

const ARTISTS = 275
const ALBUMS = 347
const TRACKS = 3503

export type Track = { readonly id: number; readonly unit_price: string; readonly [column: string]: unknown }

/** artist, album, genre, media_type and track, in an order that foreign keys allow. */
export function makeCatalogue(random: Random) {
  const artist = makeArtists(random)
  const album = makeAlbums(random)
  return {
    artist,
    album,
    genre: genres.map((name, index) => ({ id: index + 1, name })),
    media_type: mediaTypes.map(({ name, lossless }, index) => ({ id: index + 1, name, lossless })),
    track: makeTracks(random),
  }
}

function makeArtists(random: Random) {
  const taken = new Set<string>()
  return Array.from({ length: ARTISTS }, (_, index) => ({
    id: index + 1,
    name: unused(taken, () => artistName(random)),
    country: random.pick(cities).country,
  }))
}

function artistName(random: Random): string {
  switch (random.below(5)) {
    case 0:
      return `${random.pick(firstNames)} ${random.pick(lastNames)}`
    case 1:
      return `The ${random.pick(adjectives)} ${plural(random.pick(nouns))}`
    case 2:
      return `${random.pick(nouns)} & ${random.pick(nouns)}`
    case 3:
      return `${random.pick(places)} ${random.pick(nouns)}`
    default:
      return `${random.pick(adjectives)} ${random.pick(nouns)}`
  }
}

function plural(noun: string): string {
  if (/[^aeo]y$/.test(noun)) return `${noun.slice(0, -1)}ies`
  return /(s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`
}

/** Every artist has one album at least. */
function makeAlbums(random: Random) {
  const taken = new Set<string>()
  return Array.from({ length: ALBUMS }, (_, index) => ({
    id: index + 1,
    artist_id: index < ARTISTS ? index + 1 : random.between(1, ARTISTS),
    title: unused(taken, () => albumTitle(random)),
    released_on: day(random, 1969, 2024),
  }))
}

function albumTitle(random: Random): string {
  switch (random.below(4)) {
    case 0:
      return `${plural(random.pick(nouns))} of ${random.pick(places)}`
    case 1:
      return `Songs for a ${random.pick(adjectives)} ${random.pick(nouns)}`
    case 2:
      return `${random.pick(nouns)} and ${random.pick(nouns)}`
    default:
      return `${random.pick(adjectives)} ${plural(random.pick(nouns))}`
  }
}

function makeTracks(random: Random): readonly Track[] {
  const tracks: Track[] = []
  for (let album = 1; album <= ALBUMS; album++) {
    const genre = random.between(1, genres.length)
    const mediaType = random.between(1, mediaTypes.length)
    const kilobits = mediaTypes[mediaType - 1]?.kilobits ?? 256
    const composer = random.chance(0.3) ? null : `${random.pick(firstNames)} ${random.pick(lastNames)}`
    // what is left, spread evenly over the albums that are left, and some more or less
    const even = Math.round((TRACKS - tracks.length) / (ALBUMS - album + 1))
    const count = album === ALBUMS ? TRACKS - tracks.length : Math.max(1, even + random.between(-4, 4))
    const taken = new Set<string>()
    for (let position = 1; position <= count; position++) {
      const milliseconds = random.between(95_000, 420_000) + (random.chance(0.04) ? 600_000 : 0)
      tracks.push({
        id: tracks.length + 1,
        album_id: album,
        position,
        name: unused(taken, () => trackName(random)),
        genre_id: random.chance(0.1) ? random.between(1, genres.length) : genre,
        media_type_id: mediaType,
        composer: random.chance(0.8) ? composer : null,
        milliseconds,
        bytes: Math.floor((milliseconds * kilobits) / 8),
        unit_price: milliseconds > 600_000 ? '1.99' : '0.99',
      })
    }
  }
  return tracks
}

function trackName(random: Random): string {
  switch (random.below(6)) {
    case 0:
      return `${random.pick(nouns)} in ${random.pick(places)}`
    case 1:
      return `The ${random.pick(nouns)}`
    case 2:
      return `${random.pick(adjectives)} ${random.pick(adjectives)} ${random.pick(nouns)}`
    case 3:
      return `Leaving ${random.pick(places)}`
    case 4:
      return `${random.pick(nouns)}, ${random.pick(nouns)}`
    default:
      return `${random.pick(adjectives)} ${random.pick(nouns)}`
  }
}

export function makePlaylists(random: Random) {
  return {
    playlist: playlists.map(({ name }, index) => ({ id: index + 1, name })),
    playlist_track: playlists.flatMap(({ tracks }, index) =>
      distinct(random, tracks, TRACKS).map((track_id) => ({ playlist_id: index + 1, track_id })),
    ),
  }
}

/** A date between the first of January of one year and the end of another. */
export function day(random: Random, firstYear: number, lastYear: number): string {
  const date = new Date(Date.UTC(random.between(firstYear, lastYear), 0, random.between(1, 365)))
  return date.toISOString().slice(0, 10)
}
