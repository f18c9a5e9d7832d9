/** Written by `npm run bench:peers` from benchmarks/peers/results.json: never edit it by hand. */
import type { PeerFigures } from './peer-picture.ts'

export const peerFigures: PeerFigures = {
  "date": "2026-11-17",
  "machine": "2 cores of Intel(R) Xeon(R) Processor",
  "versions": [
    "Turnleaf 0.1.0",
    "airbyte-cdk 7.39.1",
    "dlt 1.31.0",
    "singer-sdk 0.54.9",
    "got 14.6.6",
    "undici 7.30.2",
    "DuckDB of Turnleaf 1.5.5-r.5",
    "DuckDB of dlt 2.0.0",
    "pyarrow 26.0.1",
    "Node 20.20.2",
    "Python 3.11.7"
  ],
  "charts": [
    {
      "id": "read",
      "title": "Records per second",
      "subtitle": "1,000 pages, responses at once",
      "bars": [
        {
          "label": "bare undici loop",
          "value": 314902,
          "isOurs": false
        },
        {
          "label": "Turnleaf",
          "value": 176341,
          "isOurs": true
        },
        {
          "label": "dlt",
          "value": 49925,
          "isOurs": false
        },
        {
          "label": "got",
          "value": 46102,
          "isOurs": false
        },
        {
          "label": "airbyte-cdk",
          "value": 20914,
          "isOurs": false
        },
        {
          "label": "singer-sdk",
          "value": 18993,
          "isOurs": false
        }
      ]
    },
    {
      "id": "latency-100",
      "title": "Records per second",
      "subtitle": "200 pages, responses after 100 ms",
      "bars": [
        {
          "label": "Turnleaf",
          "value": 12103,
          "isOurs": true
        },
        {
          "label": "bare undici loop",
          "value": 980,
          "isOurs": false
        },
        {
          "label": "got",
          "value": 965,
          "isOurs": false
        },
        {
          "label": "dlt",
          "value": 951,
          "isOurs": false
        },
        {
          "label": "airbyte-cdk",
          "value": 938,
          "isOurs": false
        },
        {
          "label": "singer-sdk",
          "value": 933,
          "isOurs": false
        }
      ]
    }
  ],
  "table": {
    "columns": [
      "reader",
      "records/s, responses at once",
      "records/s, responses after 100 ms",
      "records/s into DuckDB",
      "ms from start to first record"
    ],
    "rows": [
      [
        "Turnleaf",
        "176,341",
        "12,103",
        "43,323",
        "298"
      ],
      [
        "bare undici loop",
        "314,902",
        "980",
        "–",
        "136"
      ],
      [
        "got",
        "46,102",
        "965",
        "–",
        "163"
      ],
      [
        "dlt",
        "49,925",
        "951",
        "3,563",
        "570"
      ],
      [
        "dlt, told to load Parquet files",
        "–",
        "–",
        "13,332",
        "–"
      ],
      [
        "singer-sdk",
        "18,993",
        "933",
        "–",
        "386"
      ],
      [
        "airbyte-cdk",
        "20,914",
        "938",
        "–",
        "1,483"
      ]
    ]
  }
}
